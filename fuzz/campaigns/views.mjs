// @ts-check
/**
 * Random sessions in every dialect through views that are exported and imported, with hosts that edit, go back and fork: projected,
 * or prepared, with models that fail.
 */
import { strict as assert } from 'node:assert';
import { ContextView, ContextViews, expandHistory } from 'palimpsest';
import { weigh } from '../../__test__/support/compressed-host.mjs';
import { FORMS, pairing, READ_FORMS, Writer } from '../forms.mjs';
import { MODELS } from '../models.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const START = 1_780_000_000_000;
const PRICES = /** @type {const} */ ([
  'anthropic',
  'anthropic-1h',
  'openai',
  'openai-older',
  'deepseek',
  'gemini',
  'none',
]);
const PAUSES = [1_000, 20_000, 299_000, 301_000, 1_000_000, 3_601_000, 30_000_000];
const ACTIONS = ['write', 'write', 'write', 'write', 'ask', 'edit in place', 'edit', 'rewind', 'clone'];
const HOSTS = 3;
const REPLIES = Object.keys(MODELS).filter((name) => !/hangs|never|Aborted/i.test(name));
const MADE_FIELDS = ['isCompressed', 'compressedAt', 'compression', 'beforeCompression'];
const STALE = { coveredReads: true, repeatedCommands: true, identicalResults: true, resolvedErrors: true };

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

/** The host of one conversation. */
class Host {
  /** @type {any[]} */ messages = [];
  now = START;

  /** @param {Random} random */
  constructor(random) {
    this.random = random;
    this.writer = new Writer(random.pick(FORMS));
    this.isTimed = random.chance(0.6);
  }

  /** @param {readonly any[]} messages */
  append(messages) {
    for (const message of messages) {
      if (this.isTimed) message.timestamp = this.now;
      this.messages.push(message);
    }
  }

  /** Another host that goes on from here with messages of its own. */
  fork() {
    const fork = new Host(this.random);
    Object.assign(fork, { messages: structuredClone(this.messages), now: this.now, isTimed: this.isTimed });
    fork.writer = new Writer(this.writer.form);
    return fork;
  }

  /** @param {string} action */
  act(action) {
    const { random, messages } = this;
    if (action === 'write') this.append(this.writer.write(turn(random), messages));
    else if (action === 'ask')
      this.append(this.writer.translate({ role: 'user', content: `And ${random.int(0, 99)}?` }));
    else if (action === 'edit in place') this.#edit(true);
    else if (action === 'edit') this.#edit(false);
    else if (action === 'clone') this.messages = structuredClone(messages);
    else if (messages.length > 4) {
      this.messages = messages.slice(0, messages.length - random.int(1, Math.min(12, messages.length - 2)));
      this.writer.forget();
    }
  }

  /** Puts another text into a message. @param {boolean} isInPlace */
  #edit(isInPlace) {
    const { random, messages } = this;
    if (messages.length === 0) return;
    const index = random.int(0, messages.length - 1);
    if (!isInPlace) messages[index] = structuredClone(messages[index]);
    // A view goes by a message's own content; what lies deeper in the same object may stay unseen until something is replaced.
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

/**
 * What a placeholder saves is worked out when its result begins to wait, and after an import anew: another rule may have its
 * say by then, with a text of a few tokens more or less.
 * @param {any} ledger @param {any} expected @param {string} action the last one
 */
function assertSameBill(ledger, expected, action) {
  const where = `after an import; last: ${action}`;
  assert.equal(ledger.changes, expected.changes, `R10.7 other changes ${where}`);
  for (const field of ['cost', 'costLeftAlone']) {
    const off = Math.abs(ledger[field] - expected[field]);
    assert.ok(off <= 0.01 * expected[field], `R10.7 another ${field} ${where}: ${ledger[field]}, ${expected[field]}`);
  }
}

/**
 * Behind another system prompt, or with one message that is the same, a conversation begins of which an import can't know whether the object before it has sent requests: its
 * bill says how far it may be off.
 * @param {any} ledger @param {any} expected
 */
function assertBillInRange({ range }, expected) {
  for (const field of /** @type {const} */ (['cost', 'costLeftAlone'])) {
    const [least, most] = range[field];
    const where = `R10.7 a ${field} that the import's range doesn't hold`;
    assert.ok(
      least <= expected[field] * 1.01 && expected[field] <= most * 1.01,
      `${where}: ${expected[field]}, ${range[field]}`,
    );
  }
}

/** Whether a view takes the messages for those of another conversation. @param {readonly string[]} asked @param {readonly any[]} messages @param {boolean} hasSystem */
function isOtherStart(asked, messages, hasSystem) {
  const alike = messages.map((message, at) => JSON.stringify(message) === asked[at]);
  return (hasSystem && alike[0] === false) || alike.filter(Boolean).length < Math.min(2, asked.length);
}

/** @param {any} view */
const languageIn = (view) => view.export().options.placeholderLanguage;

/** @param {any} view @param {number} now */
function assertPlan(view, now) {
  const plan = view.plan({ now });
  for (const { index, tokens, tokensSaved } of plan.pending) {
    assert.ok(tokensSaved > 0 && tokens >= tokensSaved, `${index} weighs ${tokens} and would save ${tokensSaved}`);
  }
  assert.ok(plan.totalTokens >= 0 && plan.cachedTokens <= plan.totalTokens, 'more is cached than there is');
  assert.ok(view.breakpoints().length <= 4, 'R10.8 more than four marks');
  const { cost, costLeftAlone, range } = view.ledger();
  assert.ok(cost >= 0 && costLeftAlone >= 0 && range.cost[1] >= cost, `a bill of ${cost} for ${costLeftAlone}`);
}

/** No result is sent without its call. @param {readonly any[]} stored @param {readonly any[]} sent */
function assertPairs(stored, sent) {
  const declared = new Set(stored.flatMap((message) => pairing(message).declares));
  const kept = new Set(sent.flatMap((message) => pairing(message).declares));
  for (const id of sent.flatMap((message) => pairing(message).answers)) {
    assert.ok(kept.has(id) || !declared.has(id), `R1 the call of '${id}' is gone`);
  }
}

/** What a provider tells, true or not. @param {Random} random @returns {any} */
const usage = (random) =>
  random.pick([
    { input_tokens: random.int(0, 9_000), cache_read_input_tokens: random.int(0, 90_000), output_tokens: 1 },
    { prompt_tokens: random.int(0, 90_000), prompt_tokens_details: { cached_tokens: random.int(0, 90_000) } },
    { prompt_tokens: 9_000, prompt_cache_hit_tokens: random.int(0, 9_000) },
    { promptTokenCount: 9_000, cachedContentTokenCount: -1 },
    { inputTokens: Number.NaN, prompt_tokens: Number.POSITIVE_INFINITY, cache_read_input_tokens: 'all' },
    {},
  ]);

/** @param {Random} random @param {Count} count */
async function playProjected(random, count) {
  const host = new Host(random);
  const options = { price: random.pick(PRICES), ...(random.chance(0.3) && { stale: STALE }) };
  const one = new ContextView(options);
  let other = new ContextView(options);
  const isObserved = random.chance(0.3);
  let hasGoneBack = false;
  const hasSystem = random.chance(0.8);
  if (hasSystem) host.append(host.writer.translate({ role: 'system', content: 'Be careful. '.repeat(400) }));
  let [isImported, hasOtherStart] = [false, false];
  for (let requests = random.int(3, 60); requests > 0; requests--) {
    const action = random.pick(ACTIONS);
    // An import has no message: what was edited before its first request is new to it, and all that stands behind. Nor has it
    // what a rewind takes away, or a conversation that an edit has put aside.
    hasGoneBack ||= action.startsWith('edit') || action === 'rewind';
    if (random.chance(0.2) && !hasGoneBack) {
      other = ContextView.import(JSON.parse(JSON.stringify(other.export())));
      count('imported');
      isImported = true;
    }
    const asked = host.messages.map((message) => JSON.stringify(message));
    host.act(action);
    hasOtherStart ||= isImported && isOtherStart(asked, host.messages, hasSystem);
    count(action);
    host.now += random.chance(0.8) ? random.int(500, 60_000) : random.pick(PAUSES);
    const { messages: stored, now } = host;
    const before = JSON.stringify(stored);
    const { messages: sent, report } = one.project(stored, { now });
    const { messages: same } = other.project(random.chance(0.5) ? structuredClone(stored) : stored, { now });
    assert.equal(JSON.stringify(stored), before, 'R0.1 a stored message was written to');
    // An import keeps the language of the placeholders that there were, also when a rewind has taken the last of them away.
    if (isImported && languageIn(one) !== languageIn(other)) return count('another language');
    if (hasOtherStart) {
      assertBillInRange(other.ledger(), one.ledger());
      return count('another start');
    }
    assert.equal(JSON.stringify(same), JSON.stringify(sent), `R10.7 other bytes after an import; last: ${action}`);
    assertSameBill(other.ledger(), one.ledger(), action);
    assertPairs(stored, sent);
    // Both are asked for marks: from then on these are what changes are priced by.
    for (const view of [one, other]) assertPlan(view, now);
    if (isObserved && random.chance(0.7)) {
      const told = usage(random);
      for (const view of [one, other]) view.observe(told);
      count('observed');
    }
    count('requests');
    if (report.changed > 0) count('with placeholders');
  }
}

/** Nothing of the conversation is lost, and what is sent is a request. @param {any} prepared @param {readonly any[]} stored @param {string} last */
function assertPrepared({ messages, history }, stored, last) {
  const expanded = JSON.stringify(expandHistory(history));
  assert.equal(expanded, JSON.stringify(stored), `R7.8 not the history that was; last: ${last}`);
  assertPairs(stored, messages);
  for (const message of messages) {
    const own = MADE_FIELDS.find((field) => Object.hasOwn(message, field));
    assert.equal(own, undefined, `R7.7 '${own}' is sent`);
  }
}

/** What the user wants now is sent where it fits beside what must stay. @param {readonly any[]} sent @param {readonly any[]} stored @param {number} window */
function assertRequest(sent, stored, window) {
  const request = stored.findLast((message) => message.role === 'user' && pairing(message).answers.length === 0);
  const name = /request \d+:/.exec(JSON.stringify(request) ?? '')?.[0];
  if (name === undefined) return;
  const last = stored.findLastIndex((message) => pairing(message).declares.length > 0);
  const must = stored.filter(({ role }) => role === 'system');
  if (weigh([...must, request, ...(last === -1 ? [] : stored.slice(last))]) > window * 0.45) return;
  assert.ok(JSON.stringify(sent).includes(name), 'R7.11 the newest request is not in what is sent, though it fits');
}

/** With a model that answers as `model.reply` says. @param {Random} random @param {Count} count @param {{ reply: string, isFailed: boolean }} model */
const compressionWith = (random, count, model) => ({
  config: {
    maxContextTokens: random.int(2_000, 12_000),
    autoCompressionSummaryModel: random.chance(0.9) ? 'fast' : undefined,
    autoCompressionKeepRecentCount: random.pick([undefined, 0, 2, 6]),
    autoCompressionSummaryTimeoutMs: 40,
  },
  llmClient: /** @type {any} */ (
    (/** @type {any} */ parameters) => {
      count('model calls');
      return MODELS[model.reply]?.(parameters);
    }
  ),
  onEvent: (/** @type {any} */ event) => {
    model.isFailed ||= event.type === 'failed';
    if (['compressed', 'truncated'].includes(event.type)) count(event.type);
  },
});

/** Several conversations, some of which begin alike, through views that compress. @param {Random} random @param {Count} count */
async function playPrepared(random, count) {
  const model = { reply: 'good', isFailed: false };
  const compression = compressionWith(random, count, model);
  const compressWhenCold = random.pick([undefined, undefined, 0.3]);
  const views = new ContextViews({ price: random.pick(PRICES), compression, compressWhenCold, maxViews: HOSTS });
  const hosts = [new Host(random)];
  hosts[0]?.append(/** @type {Host} */ (hosts[0]).writer.translate({ role: 'system', content: 'Be careful.' }));
  for (let requests = random.int(3, 30); requests > 0; requests--) {
    model.reply = random.chance(0.6) ? 'good' : random.pick(REPLIES);
    if (hosts.length < HOSTS && random.chance(0.1)) hosts.push(random.pick(hosts).fork());
    const asking = random.chance(0.2) ? hosts : [random.pick(hosts)];
    const prepared = asking.map((host) => {
      const picked = random.pick(ACTIONS);
      // A summary keeps the objects that it was made of, and of forks the view goes on with one.
      const action = picked === 'edit in place' && hosts.length > 1 ? 'edit' : picked;
      host.act(action);
      count(action);
      host.now += random.chance(0.8) ? random.int(500, 60_000) : random.pick(PAUSES);
      return prepare(views, host, { last: action, window: compression.config.maxContextTokens });
    });
    await Promise.all(prepared);
    assert.ok(!model.isFailed, 'a compression failed that nobody foresaw');
    assert.ok(views.size <= HOSTS, 'more views than are allowed');
    count('prepared', asking.length);
  }
}

/** @param {ContextViews} views @param {Host} host @param {{ last: string, window: number }} where */
async function prepare(views, { messages: stored, now, writer }, { last, window }) {
  const before = JSON.stringify(stored);
  const prepared = await views.prepare(stored, { now });
  assert.equal(JSON.stringify(stored), before, 'R0.1 a stored message was written to');
  if (!READ_FORMS.has(writer.form)) return;
  assertPrepared(prepared, stored, last);
  assertRequest(prepared.messages, stored, window);
}

/** @param {Random} random @param {Count} count */
export const play = (random, count) =>
  random.chance(0.6) ? playProjected(random, count) : playPrepared(random, count);
