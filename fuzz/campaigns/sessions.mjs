// @ts-check
/** Random sessions with failing models, and with applications that meanwhile continue, rewind or close the session. */
import { strict as assert } from 'node:assert';
import { AutoCompressionManager, cleanOrphanedToolCalls, prepareMessages, setLogger, stripForApi } from 'palimpsest';
import { assertPairs, countTokens } from '../../__test__/support/compressed-host.mjs';
import { prose } from '../../__test__/support/random-sessions.mjs';
import { FORMS, MARK, pairing, READ_FORMS, Writer } from '../forms.mjs';
import { Host } from '../host.mjs';
import { inTime } from '../limits.mjs';
import { MODELS } from '../models.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const NOW = 1_780_000_000_000;
const HARD_LIMIT = 0.95;
const ACTIONS = ['append', 'append', 'edit', 'rewind', 'fork', 'process', 'compress', 'abort', 'prepare', 'reload'];
const COUNTED = ['compressed', 'truncated', 'discarded', 'summary_failed', 'summary_refused', 'cannot_fit'];

/** @param {Random} random */
function size(random) {
  const share = random.next();
  if (share < 0.6) return random.int(0, 60);
  return share < 0.94 ? random.int(60, 500) : random.int(500, 4_000);
}

/** @param {Random} random */
const turn = (random) => ({
  ask: random.chance(0.3) ? size(random) : null,
  say: size(random),
  calls: random.chance(0.15)
    ? []
    : random.list(1, random.chance(0.1) ? 20 : 4, () => ({
        words: size(random),
        fails: random.chance(0.25),
        file: random.int(0, 4),
      })),
  thinks: random.chance(0.3),
  usage: random.pick(['none', 'none', 'none', 'exact', 'high']),
  isPinned: random.chance(0.05),
  answered: random.chance(0.8) ? 'now' : random.pick(['next', 'later']),
});

/** @param {Random} random */
const settings = (random) => ({
  maxContextTokens: random.int(1_500, 8_000),
  autoCompressionKeepRecentCount: random.pick([undefined, 0, 1, 4, 10]),
  autoCompressionSummaryMaxTokens: random.pick([undefined, 150, 400]),
  autoCompressionSummaryModel: random.chance(0.9) ? 'fast' : undefined,
  autoCompressionSummaryContextTokens: random.pick([undefined, 3_000, 128_000]),
  autoCompressionSummaryTimeoutMs: 40,
});

/** One session: the application, the manager, and the model that it calls. */
class Session {
  /** @type {any[]} */ events = [];
  /** @type {string[]} */ logged = [];
  /** @type {Promise<unknown>[]} */ others = [];
  /** @type {string[]} */ actions = [];
  /** Ids of calls that no longer need a result. @type {Set<string>} */ givenUp = new Set();
  controller = new AbortController();
  host = new Host();
  reentries = 0;

  /** @param {Random} random @param {Count} count */
  constructor(random, count) {
    this.random = random;
    this.count = count;
    this.writer = new Writer(random.pick(FORMS));
    this.settings = settings(random);
    this.isForked = false;
    if (random.chance(0.8)) this.append({ role: 'system', content: prose(random.pick([5, 5, 80]), 1) });
    const log = (/** @type {unknown} */ fields, /** @type {unknown} */ message) => this.#recordLog([fields, message]);
    const logger = { debug: log, info: log, warn: log, error: log };
    setLogger(random.chance(0.5) ? logger : null);
    this.manager = new AutoCompressionManager(
      this.settings,
      /** @type {any} */ ((/** @type {any} */ parameters) => this.#ask(parameters)),
      random.chance(0.5) ? logger : null,
      {
        pin: (/** @type {any} */ message) => message.isPinned === true,
        onEvent: (event) => {
          this.events.push(event);
          this.#reenter();
        },
      },
    );
  }

  /** @param {any} message */
  append(message) {
    this.host.append(this.writer.translate(message));
  }

  /** A listener that calls back into the manager, as user interfaces do. */
  #reenter() {
    if (this.reentries <= 0) return;
    this.reentries -= 1;
    this.others.push(this.manager.process(this.host.messages, { now: NOW }));
  }

  /** @param {unknown} entry */
  #recordLog(entry) {
    this.logged.push(JSON.stringify(entry));
  }

  write() {
    this.host.append(this.writer.write(turn(this.random), this.host.messages));
  }

  async round() {
    const { random } = this;
    for (let turns = random.int(1, 12); turns > 0; turns--) this.write();
    this.replies = random.chance(0.4) ? ['good'] : random.list(1, 4, () => random.pick(Object.keys(MODELS)));
    this.actions = random.chance(0.5) ? [] : random.list(1, 3, () => random.pick(ACTIONS));
    this.reentries = random.chance(0.1) ? 2 : 0;
    this.events = [];
    this.others = [];
    this.controller = new AbortController();
    this.modelCalls = 0;
    const options = { now: NOW, signal: this.controller.signal };
    const { messages } = this.host;
    const result = await inTime(this.manager.process(messages, options), 'process');
    this.isForked = this.host.messages !== messages;
    assert.equal(result, undefined);
    await inTime(Promise.all(this.others), 'what was called meanwhile');
    this.#noteGivenUp();
  }

  /** @param {any} parameters */
  #ask(parameters) {
    const actions = this.actions;
    this.actions = [];
    for (const action of actions) this.#act(action);
    const replies = this.replies ?? [];
    const name = /** @type {string} */ (replies[Math.min(this.modelCalls ?? 0, replies.length - 1)]);
    this.modelCalls = (this.modelCalls ?? 0) + 1;
    this.count('model calls');
    return MODELS[name]?.(parameters);
  }

  /** @param {string} action */
  #act(action) {
    const { host, manager, random } = this;
    const { messages } = host;
    if (action === 'append') this.write();
    else if (action === 'edit') host.edit(random);
    else if (action === 'rewind') {
      if (host.rewind(random)) this.writer.forget();
    } else if (action === 'fork') host.fork();
    else if (action === 'process') this.others.push(manager.process(messages, { now: NOW }));
    else if (action === 'compress') {
      const summary = random.pick([undefined, prose(200, 3)]);
      this.others.push(manager.compress(messages, { now: NOW, summary }));
    } else if (action === 'abort') this.controller.abort();
    else if (action === 'prepare') prepareMessages(messages, { now: NOW });
    else if (action === 'reload') host.reload(random.pick(['json', 'clone']));
  }

  #noteGivenUp() {
    // A call that is removed while it runs may never get a result.
    const kept = new Set(this.host.messages.flatMap((message) => pairing(message).declares));
    for (const id of this.writer.inFlight.flatMap((message) => pairing(message).answers)) {
      if (!kept.has(id)) this.givenUp.add(id);
    }
  }
}

/**
 * The request contains the newest user message and stays below the limit, if that is possible: if the messages that
 * must stay need less than half of it.
 * @param {readonly any[]} sent
 * @param {Session} session
 */
function assertServed(sent, { host, settings: { maxContextTokens }, events, controller, others, isForked }) {
  // If the application continued with another array or changed this one during the call, only the next call can satisfy this.
  if (controller.signal.aborted || others.length > 0 || isForked) return;
  const limit = Math.ceil(maxContextTokens * HARD_LIMIT);
  const request = host.original.findLast(isRequest);
  const last = host.original.findLastIndex((message) => pairing(message).declares.length > 0);
  const open = last === -1 ? [] : host.original.slice(last);
  const must = host.original.filter((message) => message.role === 'system' || message.isPinned === true);
  const fits = countTokens([...must, ...open, ...(request === undefined ? [] : [request])]) < limit / 2;
  const weight = countTokens(sent);
  const types = events.map(({ type }) => type).join(' ');
  // If a provider reported usage, its figure decides, and our count may be slightly higher.
  const allowed = host.messages.some(({ usage }) => usage !== undefined) ? limit * 1.25 : limit;
  if (fits) assert.ok(weight <= allowed, `R7.11 ${weight} tokens above the limit of ${limit}\nevents: ${types}`);
  if (!fits || request === undefined) return;
  const name = /request \d+:/.exec(JSON.stringify(request))?.[0];
  const isThere = name === undefined || JSON.stringify(sent).includes(name);
  assert.ok(isThere, `R7.11 the newest request is not in what is sent, though it fits\nevents: ${types}`);
}

/** @param {any} message */
function isRequest(message) {
  return message.role === 'user' && pairing(message).answers.length === 0;
}

/** @param {Random} random @param {Count} count */
export async function play(random, count) {
  const session = new Session(random, count);
  for (let rounds = random.int(1, 6); rounds > 0; rounds--) {
    await session.round();
    const { host, events, logged } = session;
    host.assertUntouched();
    host.assertWhole();
    const sent = stripForApi(host.messages);
    if (READ_FORMS.has(session.writer.form)) {
      assertPairs(sent, host.original, session.givenUp, pairing);
      assertServed(sent, session);
    }
    const failed = events.find(({ type }) => type === 'failed');
    assert.equal(failed, undefined, `something unforeseen happened: ${JSON.stringify(failed)}`);
    const shown = logged.find((entry) => entry.includes(MARK));
    assert.equal(shown, undefined, `content in a log: ${shown?.slice(0, 200)}`);
    for (const { type } of events) if (COUNTED.includes(type)) count(type);
    count('rounds');
    if (random.chance(0.3)) host.reload(random.pick(['json', 'clone']));
    if (random.chance(0.1)) host.fork();
    if (random.chance(0.1)) cleanOrphanedToolCalls([...host.messages]);
  }
}
