// @ts-check
/** An application that keeps one conversation in a dialect: it appends, edits, rewinds, clones, and changes the system prompt. */
import { Writer } from './forms.mjs';

/** @typedef {import('./random.mjs').Random} Random */

const START = 1_780_000_000_000;
const PAUSES_MS = [1_000, 20_000, 299_000, 301_000, 1_000_000, 3_601_000, 30_000_000];
/** Number of messages at the end that a view reads again at each request. It takes older ones for unchanged while the objects are the same. */
const READ_AGAIN = 16;

/** @param {Random} random */
const turn = (random) => ({
  ask: random.chance(0.2) ? random.int(0, 60) : null,
  say: random.int(0, 60),
  calls: random.list(0, 3, () => ({
    words: random.chance(0.3) ? random.int(200, 4_000) : random.int(0, 80),
    fails: random.chance(0.2),
    file: random.int(0, 4),
  })),
  thinks: random.chance(0.2),
  usage: 'none',
  isPinned: false,
  answered: random.chance(0.9) ? 'now' : random.pick(['next', 'later']),
});

export class CodingHost {
  /** @type {any[]} */ messages = [];
  now = START;

  /** @param {Random} random @param {string} form */
  constructor(random, form) {
    this.random = random;
    this.writer = new Writer(form);
    this.isTimed = random.chance(0.6);
    this.isChinese = random.chance(0.2);
  }

  /** @param {readonly any[]} messages */
  append(messages) {
    for (const message of messages) {
      if (this.isTimed) message.timestamp = this.now;
      this.messages.push(message);
    }
  }

  /** @param {string} content */
  appendSystem(content) {
    this.append(this.writer.translate({ role: 'system', content }));
  }

  /** Another application that continues from here with its own messages. */
  fork() {
    const fork = new CodingHost(this.random, this.writer.form);
    const { now, isTimed, isChinese } = this;
    return Object.assign(fork, { messages: structuredClone(this.messages), now, isTimed, isChinese });
  }

  pause() {
    const { random } = this;
    this.now += random.chance(0.8) ? random.int(500, 60_000) : random.pick(PAUSES_MS);
  }

  /** @param {string} action */
  act(action) {
    const { random, messages } = this;
    if (action === 'write') this.append(this.writer.write(turn(random), messages));
    else if (action === 'ask') this.append(this.writer.translate(this.question()));
    else if (action === 'edit in place') this.#edit(true);
    else if (action === 'edit') this.#edit(false);
    else if (action === 'system prompt') this.#changeSystem();
    else if (action === 'clone') this.messages = structuredClone(messages);
    else if (action === 'rewind' && messages.length > 4) {
      this.messages = messages.slice(0, messages.length - random.int(1, Math.min(12, messages.length - 2)));
      this.writer.forget();
    }
  }

  question() {
    const number = this.random.int(0, 99);
    return { role: 'user', content: this.isChinese ? `那么第 ${number} 个文件呢？请再看一遍。` : `And ${number}?` };
  }

  #changeSystem() {
    const [first] = this.messages;
    if (first?.role !== 'system') return;
    const [changed] = this.writer.translate({ role: 'system', content: 'Be bold. '.repeat(this.random.int(1, 600)) });
    if (this.isTimed) changed.timestamp = first.timestamp;
    this.messages = [changed, ...this.messages.slice(1)];
  }

  /** Replaces the text of a message; all other objects stay the same. @param {boolean} isInPlace */
  #edit(isInPlace) {
    const { random, messages } = this;
    if (messages.length === 0) return;
    const index = random.int(isInPlace ? Math.max(0, messages.length - READ_AGAIN) : 0, messages.length - 1);
    if (!isInPlace) messages[index] = structuredClone(messages[index]);
    // A view compares a message's own content; changes deeper in the same object may go unnoticed until something is removed.
    const holders = holdersOfText(messages[index]).filter(({ holder }) => !isInPlace || holder === messages[index]);
    if (holders.length === 0) return;
    const { holder, key } = random.pick(holders);
    holder[key] = `edited ${random.int(0, 1e6)} ${String(holder[key]).slice(0, random.int(0, 400))}`;
  }
}

/** @param {any} value @returns {{ holder: any, key: string }[]} */
function holdersOfText(value) {
  if (value === null || typeof value !== 'object') return [];
  return Object.keys(value).flatMap((key) => {
    if (typeof value[key] === 'object') return holdersOfText(value[key]);
    const isText = typeof value[key] === 'string' && ['content', 'text', 'output', 'value'].includes(key);
    return isText ? [{ holder: value, key }] : [];
  });
}
