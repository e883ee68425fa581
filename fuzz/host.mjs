// @ts-check
/** An application that stores, edits, rewinds, forks, saves and loads messages. They are identified by `uid`, independently of the object. */
import { strict as assert } from 'node:assert';
import { expandHistory } from 'palimpsest';

/** @typedef {import('./random.mjs').Random} Random */

let uids = 0;

export class Host {
  /** @type {any[]} messages that the manager changes */
  messages = [];
  /** @type {any[]} original history, as created */
  original = [];
  /** Copies of the application's messages, by object. @type {Map<object, any>} */
  #copies = new Map();

  /** @param {readonly any[]} messages */
  append(messages) {
    for (const message of messages) {
      uids += 1;
      const own = { ...message, uid: uids };
      this.messages.push(own);
      this.#hold(own);
      this.original.push(structuredClone(own));
    }
  }

  /** Replaces a message with a new object with another text. @param {Random} random */
  edit(random) {
    const slots = this.messages.flatMap((message, index) => (isPlain(message) && textKey(message) ? [index] : []));
    if (slots.length === 0) return;
    const index = random.pick(slots);
    const old = this.messages[index];
    const edited = { ...old, content: `edited ${random.int(0, 1e6)}` };
    this.messages[index] = edited;
    this.#hold(edited);
    const known = this.original.findIndex(({ uid }) => uid === old.uid);
    this.original[known] = structuredClone(edited);
  }

  /** Rewinds to one of the messages after the newest compression. @param {Random} random */
  rewind(random) {
    const newest = this.messages.findLastIndex((message) => !isPlain(message));
    const left = this.messages.length - newest - 1;
    if (left < 2) return false;
    this.messages.length = newest + 1 + random.int(1, left - 1);
    const { uid } = this.messages.at(-1);
    this.original.length = this.original.findIndex((message) => message.uid === uid) + 1;
    return true;
  }

  /** Reloads from a session file: new objects in the same array. @param {'json' | 'clone'} way */
  reload(way) {
    const loaded = way === 'json' ? JSON.parse(JSON.stringify(this.messages)) : structuredClone(this.messages);
    this.messages.splice(0, Number.POSITIVE_INFINITY, ...loaded);
    this.#copies.clear();
    for (const message of this.messages) if (isPlain(message)) this.#hold(message);
  }

  /** Continues with a copy of the array; later changes of the first array don't matter. */
  fork() {
    this.messages = structuredClone(this.messages);
    this.#copies.clear();
    for (const message of this.messages) if (isPlain(message)) this.#hold(message);
  }

  assertUntouched() {
    for (const [message, copy] of this.#copies) assert.deepEqual(message, copy, 'R0.1 a stored message was written to');
  }

  assertWhole() {
    const saved = JSON.stringify(this.messages);
    for (const [way, messages] of [
      ['as it is', this.messages],
      ['through JSON', JSON.parse(saved)],
      ['through structuredClone', structuredClone(this.messages)],
    ]) {
      assert.deepEqual(expandHistory(messages), this.original, `R7.8 not the history that was, ${way}`);
    }
    assert.equal(JSON.stringify(this.messages), saved, 'expandHistory wrote to its argument');
  }

  /** @param {object} message */
  #hold(message) {
    this.#copies.set(message, structuredClone(message));
  }
}

/** True if compression neither created nor changed the message. @param {any} message */
function isPlain(message) {
  return message.isCompressed === undefined && message.beforeCompression === undefined && message.uid !== undefined;
}

/** @param {any} message */
function textKey({ content }) {
  return typeof content === 'string';
}
