// @ts-check
/**
 * Random lives of one stored conversation, in any dialect: turns, interrupted calls, edits, rewinds, branches, changed
 * system prompts, retries and side requests. `playLife` plays one with views that are dropped at any moment.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { copies, DIALECTS } from './dialects.mjs';
import { START } from './histories.mjs';
import { PIXEL } from './neutral-sessions.mjs';
import { prose } from './random-sessions.mjs';
import { weighted } from './weighted.mjs';

const { boolean, constant, constantFrom, integer, nat, record } = fc;

/** Number of newest messages that a view always rereads; older ones only if their own fields changed, or before it removes something. */
const REREAD_MESSAGES = 16;
/** Maximum number of messages that a rewind removes. */
const MAX_REWOUND = 12;
const PAUSES = [1, 20, 90, 299, 301, 1801, 3601, 30_000];
/** Label of the view without facts. */
const WITHOUT_FACTS = 'new, without facts';
const TITLE = 'Give this conversation a title.';

const call = record({
  tool: constantFrom('bash', 'bash', 'read_file', 'grep', 'edit_file', 'ask'),
  file: nat(3),
  words: weighted([3, nat(40)], [3, integer({ min: 200, max: 2_500 })]),
  isFailed: weighted([6, constant(false)], [1, constant(true)]),
  hasImage: weighted([12, constant(false)], [1, constant(true)]),
});

const turn = record({
  kind: constant('turn'),
  ask: weighted([3, constant(0)], [1, integer({ min: 1, max: 60 })]),
  says: nat(60),
  thinks: boolean(),
  calls: weighted([1, constant([])], [6, fc.array(call, { minLength: 1, maxLength: 3 })]),
  // Number of calls that get a result; the others never do.
  answered: weighted([8, constant(3)], [1, nat(2)]),
  seconds: weighted([6, integer({ min: 1, max: 90 })], [1, constantFrom(...PAUSES)]),
});

const unusualEvent = weighted(
  [2, record({ kind: constant('edit'), at: nat(999), how: constantFrom('in place', 'within', 'new object') })],
  [2, record({ kind: constant('rewind'), by: integer({ min: 1, max: MAX_REWOUND }), ask: boolean() })],
  [1, record({ kind: constant('fork') })],
  [1, record({ kind: constant('back') })],
  [1, record({ kind: constant('system'), words: integer({ min: 1, max: 400 }) })],
  [1, record({ kind: constant('retry'), seconds: constantFrom(...PAUSES) })],
  [1, record({ kind: constant('side') })],
  [1, record({ kind: constant('clone') })],
);

const options = record({
  price: constantFrom('anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini', 'none'),
  marks: weighted([3, constant(undefined)], [1, constant(true)]),
  outdatedBy: weighted([3, constant(undefined)], [1, constant('age')]),
  ages: weighted(
    [1, constant(undefined)],
    [3, record({ shellRun: integer({ min: 1, max: 5 }), fileRead: integer({ min: 1, max: 9 }), other: constant(3) })],
  ),
  budgetTokens: weighted([6, constant(undefined)], [1, integer({ min: 2_000, max: 20_000 })]),
});

/**
 * @typedef {{ kind: string } & Record<string, any>} Event
 * @typedef {{ dialect: string, isTimed: boolean, options: any, events: Event[], drops: number[] }} Life
 *   `drops`: numbers of requests between drops of a view
 */

/**
 * @param {number} most maximum number of events
 * @returns {fc.Arbitrary<Life>}
 */
export const lives = (most) =>
  record({
    dialect: constantFrom(...Object.keys(DIALECTS)),
    isTimed: boolean(),
    options,
    events: fc.array(weighted([4, turn], [1, unusualEvent]), { minLength: 1, maxLength: most, size: 'max' }),
    drops: fc.array(integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
  });

/** An application's stored messages, and its changes to them. */
class StoredConversation {
  #form;
  #dialect;
  #isTimed;
  #count = 0;
  /** @type {any[]} */ #branch = [];
  /** Number of messages in the last request. */ #sent = 0;
  now = START;

  /** @param {string} dialect @param {boolean} isTimed */
  constructor(dialect, isTimed) {
    this.#form = /** @type {typeof DIALECTS[string]} */ (DIALECTS[dialect]);
    this.#dialect = dialect;
    this.#isTimed = isTimed;
    /** @type {any[]} */ this.messages = this.#form.system(`You are careful. ${prose(600, 1)}`);
    this.#add(this.#form.user([`Begin. ${prose(900, 2)}`]));
  }

  /** @param {Event} event */
  apply(event) {
    this.now += (event.seconds ?? 1) * 1_000;
    if (event.kind === 'turn') this.#turn(event);
    else if (event.kind === 'edit') this.#edit(event);
    else if (event.kind === 'rewind') this.#rewind(event);
    else if (event.kind === 'system') this.#changeSystem(event);
    else if (event.kind === 'fork') this.#branch = copies(this.#dialect, this.messages);
    else if (event.kind === 'back' && this.#branch.length > 0) {
      [this.messages, this.#branch] = [this.#branch, this.messages];
    } else if (event.kind === 'clone') this.messages = copies(this.#dialect, this.messages);
    this.#sent = this.messages.length;
  }

  /** The messages of a side request. */
  get titleRequest() {
    return this.#joined(this.messages, this.#form.user([TITLE]));
  }

  /** Reasons why a strict provider would reject the request. @param {readonly any[]} sent */
  problemsIn(sent) {
    return this.#form.problemsIn(sent, { pendingTurn: true });
  }

  /** The messages as another process reads them from a file. */
  get reloaded() {
    return copies(this.#dialect, this.messages);
  }

  /** @param {any[]} messages @param {any[]} next */
  #joined(messages, next) {
    const { joined = (all, more) => [...all, ...more] } = this.#form;
    return joined(messages, next);
  }

  /** @param {any[]} next */
  #add(next) {
    this.messages = this.#joined(this.messages, next);
  }

  /** @param {Event} event */
  #turn({ ask, says, thinks, calls, answered, seconds }) {
    const place = ++this.#count;
    const made = calls.map((/** @type {any} */ each, /** @type {number} */ at) => this.#call(each, `${place}_${at}`));
    const texts = says > 0 || made.length === 0 ? [`Step ${place}. ${prose(says, place)}`] : [];
    const reasoning = thinks ? `Because of ${place}.` : null;
    const step = { kind: /** @type {const} */ ('assistant'), place, reasoning, texts, calls: made, time: this.now };
    this.#add(this.#form.assistant(step));
    const known = made.slice(0, answered);
    const time = this.#isTimed ? { timestamp: this.now + seconds } : {};
    if (known.length > 0) this.#add(this.#form.results(known, time));
    if (ask > 0 || known.length < made.length || made.length === 0) {
      this.#add(this.#form.user([`Go on, ${place}. ${prose(ask, place)}`]));
    }
  }

  /** @param {any} plan @param {string} key */
  #call({ tool, file, words, isFailed, hasImage }, key) {
    const input = tool === 'bash' ? { command: `make ${file}` } : { path: `src/${file}.ts` };
    const image = hasImage && !isFailed ? { mediaType: 'image/png', data: PIXEL } : null;
    const outcome = { texts: [`${isFailed ? 'Error: ' : ''}${key}: ${prose(words, words)}`], image, isFailed };
    return { key, id: `call_${key}`, name: tool, input, outcome };
  }

  /** Replaces the text of one message, like a redaction or a correction. @param {Event} event */
  #edit({ at, how }) {
    const { resultsOf, replaceOutput, user } = this.#form;
    const index = at % this.messages.length;
    const message = this.messages[index];
    const text = `edited ${++this.#count} ${prose(this.#count % 300, this.#count)}`;
    const [copy] = copies(this.#dialect, [message]);
    const results = resultsOf(copy);
    if (results.length > 0) replaceOutput(results[at % results.length]?.part, text);
    else if (message.role === 'user' && typeof message.content === 'string') Object.assign(copy, user([text])[0]);
    else return;
    if (how === 'new object') this.messages = this.messages.with(index, copy);
    else if (how === 'in place') Object.assign(message, copy);
    else if (index >= this.#sent - REREAD_MESSAGES && results.length > 0) {
      replaceOutput(resultsOf(message)[at % results.length]?.part, text);
    }
  }

  /** Rewinds to an earlier message, which may be a result without an assistant message after it. @param {Event} event */
  #rewind({ by, ask }) {
    const least = this.#form.system('').length + 1;
    const messages = this.messages.slice(0, Math.max(least, this.messages.length - by));
    // A reasoning item must be followed by its output.
    while (messages.at(-1)?.type === 'reasoning') messages.pop();
    const last = messages.at(-1);
    this.messages = messages;
    const isOpen = this.#form.callsOf(last).length > 0 || !canEndRequest(last);
    if (ask || isOpen) this.#add(this.#form.user([`Again, ${++this.#count}.`]));
  }

  /** @param {Event} event */
  #changeSystem({ words }) {
    const system = this.#form.system(`You are quick, ${++this.#count}. ${prose(words, words)}`);
    if (system.length > 0) this.messages = [...system, ...this.messages.slice(system.length)];
  }
}

/** True if a request may end with this message. @param {any} message */
function canEndRequest(message) {
  const role = message.role ?? message.info?.role ?? message._getType?.() ?? message.id?.at(-1);
  return ['user', 'human', 'HumanMessage', 'tool', 'toolResult', 'ToolMessage'].includes(role ?? 'tool');
}

/**
 * Plays a life with four views: one that persists; one that is dropped and imported again from time to time; one that
 * is new for each request and imports the facts; and, if messages have times, one that is new and has no facts. All
 * must send the same bytes.
 * @param {Life} life
 * @param {(what: string) => void} [count]
 */
export function playLife({ dialect, isTimed, options: given, events, drops }, count = () => {}) {
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const stored = new StoredConversation(dialect, isTimed);
  const always = new ContextView(options);
  let dropped = new ContextView(options);
  let [left, nth] = [drops[0] ?? 1, 0];
  for (const event of [{ kind: 'first' }, ...events]) {
    stored.apply(event);
    count(event.kind);
    if (--left === 0) {
      left = drops[++nth % drops.length] ?? 1;
      dropped = reimported(dropped, options);
    }
    const isSide = event.kind === 'side';
    const messages = isSide ? stored.titleRequest : stored.messages;
    const projectOptions = { now: stored.now, side: isSide };
    const imported = reimported(always, options);
    const { messages: sent, report } = always.project(messages, projectOptions);
    if (report.changed > 0) count('with placeholders');
    const bytes = JSON.stringify(sent);
    const marks = always.breakpoints();
    const isReloaded = nth % 2 === 0 && !isSide;
    const passed = isReloaded ? stored.reloaded : messages;
    const where = `after ${event.kind}`;
    for (const [which, view] of /** @type {[string, ContextView][]} */ ([
      ['dropped and imported again', dropped],
      ['new, with the facts', imported],
      // Without facts it gets another clock, because `now` must not matter if messages have times.
      ...(isTimed ? [[WITHOUT_FACTS, new ContextView(options)]] : []),
    ])) {
      const now = which === WITHOUT_FACTS ? stored.now + 86_400_000 : stored.now;
      assert.equal(
        JSON.stringify(view.project(passed, { ...projectOptions, now }).messages),
        bytes,
        `${where}, the view that is ${which}`,
      );
      if (!isSide)
        assert.deepEqual(view.breakpoints(), marks, `${where}, the view that is ${which} sets other breakpoints`);
    }
    assert.deepEqual(stored.problemsIn(sent), [], `${where} a provider rejects the request`);
  }
}

/** Continues in another process: exports the view and imports it. @param {ContextView} view @param {any} options */
function reimported(view, options) {
  return ContextView.import(JSON.parse(JSON.stringify(view.export())), options);
}
