// @ts-check
/**
 * Random sessions in every dialect through views that are dropped and recreated at any moment, with applications that
 * edit, rewind and fork: with `project`, or with `prepare` and failing models.
 */
import { strict as assert } from 'node:assert';
import { ContextView, ContextViews, expandHistory } from 'palimpsest';
import { countTokens } from '../../__test__/support/compressed-host.mjs';
import { CodingHost } from '../coding-host.mjs';
import { FORMS, pairing, READ_FORMS } from '../forms.mjs';
import { MODELS } from '../models.mjs';

/** @typedef {import('../random.mjs').Random} Random */
/** @typedef {(what: string, by?: number) => void} Count */

const PRICES = /** @type {const} */ ([
  'anthropic',
  'anthropic-1h',
  'openai',
  'openai-older',
  'deepseek',
  'gemini',
  'none',
]);
const ACTIONS = ['write', 'write', 'write', 'write', 'ask', 'edit in place', 'edit', 'rewind', 'clone'];
const HOSTS = 3;
const REPLIES = Object.keys(MODELS).filter((name) => !/hangs|never|Aborted/i.test(name));
const COMPRESSION_FIELDS = ['isCompressed', 'compressedAt', 'compression', 'beforeCompression'];
/** Actions after which the provider may have another prompt in its cache than the fold assumes. */
const OTHER_PROMPTS = new Set(['edit', 'edit in place', 'rewind', 'system prompt', 'side']);
const MAX_EXTRA_COST = 0.02;

/** @param {Random} random */
function viewOptions(random) {
  const age = random.int(1, 12);
  const ages = { shellRun: age, editResult: age, fileRead: 2 * age, other: age };
  return {
    price: random.pick(PRICES),
    ...(random.chance(0.8) && { ages }),
    ...(random.chance(0.3) && { repeatedCommands: true }),
    ...(random.chance(0.3) && { marks: true }),
    ...(random.chance(0.1) && { budgetTokens: random.int(1_000, 40_000) }),
  };
}

/** Values determined by the messages, the options and the facts; equal for all views with the same ones. @param {any} view @param {number} now */
function derived(view, now) {
  const { changes, results, tokensSaved, extraCost, entries } = view.ledger();
  const { cachedTokens, ...plan } = view.plan({ now });
  return JSON.stringify({ changes, results, tokensSaved, extraCost, entries, plan, marks: view.breakpoints() });
}

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
    assert.ok(kept.has(id) || !declared.has(id), `R1 the result of the removed call '${id}' is sent`);
  }
}

/** A provider's usage report, true or false. @param {Random} random @returns {any} */
const usage = (random) =>
  random.pick([
    { input_tokens: random.int(0, 9_000), cache_read_input_tokens: random.int(0, 90_000), output_tokens: 1 },
    { prompt_tokens: random.int(0, 90_000), prompt_tokens_details: { cached_tokens: random.int(0, 90_000) } },
    { prompt_tokens: 9_000, prompt_cache_hit_tokens: random.int(0, 9_000) },
    { promptTokenCount: 9_000, cachedContentTokenCount: -1 },
    { inputTokens: Number.NaN, prompt_tokens: Number.POSITIVE_INFINITY, cache_read_input_tokens: 'all' },
    {},
  ]);

/** One conversation with two views: one that persists, and one that is recreated. */
class Projected {
  isObserved;
  /** True while only new messages were added. */ isOrdinary = true;

  /** @param {Random} random @param {Count} count */
  constructor(random, count) {
    this.random = random;
    this.count = count;
    this.options = viewOptions(random);
    this.host = new CodingHost(random, random.pick(FORMS));
    this.one = new ContextView(this.options);
    this.other = new ContextView(this.options);
    this.isObserved = random.chance(0.3);
    if (random.chance(0.8)) this.host.appendSystem('Be careful. '.repeat(400));
  }

  request() {
    const { random, host, count } = this;
    const last = random.pick([...ACTIONS, 'system prompt', 'side']);
    if (last === 'side') this.#askSide();
    else host.act(last);
    count(last);
    this.isOrdinary &&= !OTHER_PROMPTS.has(last);
    host.pause();
    this.#drop();
    const { messages: stored, now } = host;
    const before = JSON.stringify(stored);
    const { messages: sent, report } = this.one.project(stored, { now });
    const { messages: same } = this.other.project(random.chance(0.5) ? structuredClone(stored) : stored, { now });
    assert.equal(JSON.stringify(stored), before, 'R0.1 a stored message was written to');
    assert.equal(JSON.stringify(same), JSON.stringify(sent), `R10.7 other bytes in another process; last: ${last}`);
    assert.equal(derived(this.other, now), derived(this.one, now), `R10.7 another plan or ledger; last: ${last}`);
    assertPairs(stored, sent);
    assertPlan(this.one, now);
    this.#assertPromise();
    this.#observe();
    count('requests');
    if (report.changed > 0) count('with placeholders');
  }

  /** Simulates that the other process ends and a new one continues. */
  #drop() {
    const { random, host, options, count } = this;
    if (host.isTimed && random.chance(0.15)) {
      this.other = new ContextView(options);
      count('made from nothing');
    } else if (random.chance(0.15)) {
      this.other = ContextView.import(JSON.parse(JSON.stringify(this.one.export())), options);
      count('imported');
    }
  }

  /** The persistent view also gets a side request for a title, which must not affect any other request. */
  #askSide() {
    const { host, random } = this;
    const earlier = host.messages.slice(0, random.int(1, host.messages.length + 1));
    const sideRequest = [...earlier, ...host.writer.translate(host.question())];
    const { messages } = this.one.project(sideRequest, { now: host.now, side: true });
    assertPairs(sideRequest, messages);
  }

  #observe() {
    if (!this.isObserved || this.random.chance(0.3)) return;
    this.one.observe(usage(this.random));
    this.isOrdinary = false;
    this.count('observed');
  }

  #assertPromise() {
    if (!this.isOrdinary || this.options.budgetTokens !== undefined) return;
    const { cost, costLeftAlone } = this.one.ledger();
    const most = (1 + MAX_EXTRA_COST) * costLeftAlone;
    assert.ok(cost <= most + 1e-6, `R10.5 a bill ${cost / costLeftAlone} times that of the unmodified history`);
  }
}

/** @param {Random} random @param {Count} count */
function playProjected(random, count) {
  const projected = new Projected(random, count);
  for (let requests = random.int(3, 60); requests > 0; requests--) projected.request();
}

/**
 * The history is complete, and the prepared messages are a valid request.
 * @param {any} prepared @param {readonly any[]} stored @param {string} last
 */
function assertPrepared({ messages, history }, stored, last) {
  const expanded = JSON.stringify(expandHistory(history));
  assert.equal(expanded, JSON.stringify(stored), `R7.8 not the history that was; last: ${last}`);
  assertPairs(stored, messages);
  for (const message of messages) {
    const own = COMPRESSION_FIELDS.find((field) => Object.hasOwn(message, field));
    assert.equal(own, undefined, `R7.7 '${own}' is sent`);
  }
}

/**
 * The current request is sent if it fits next to the messages that must stay.
 * @param {readonly any[]} sent @param {readonly any[]} stored @param {number} window
 */
function assertRequest(sent, stored, window) {
  const request = stored.findLast((message) => message.role === 'user' && pairing(message).answers.length === 0);
  const name = /request \d+:/.exec(JSON.stringify(request) ?? '')?.[0];
  if (name === undefined) return;
  const last = stored.findLastIndex((message) => pairing(message).declares.length > 0);
  const must = stored.filter(({ role }) => role === 'system');
  if (countTokens([...must, request, ...(last === -1 ? [] : stored.slice(last))]) > window * 0.45) return;
  assert.ok(JSON.stringify(sent).includes(name), 'R7.11 the newest request is not in what is sent, though it fits');
}

/**
 * Compression with a model that replies as `model.reply` says.
 * @param {Random} random @param {Count} count @param {{ reply: string, isFailed: boolean }} model
 */
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

/** Several conversations, some with a common prefix, through views that compress. @param {Random} random @param {Count} count */
async function playPrepared(random, count) {
  const model = { reply: 'good', isFailed: false };
  const compression = compressionWith(random, count, model);
  const compressWhenCold = random.pick([undefined, undefined, 0.3]);
  const views = new ContextViews({ price: random.pick(PRICES), compression, compressWhenCold, maxViews: HOSTS });
  const hosts = [new CodingHost(random, random.pick(FORMS))];
  hosts[0]?.appendSystem('Be careful.');
  for (let requests = random.int(3, 30); requests > 0; requests--) {
    model.reply = random.chance(0.6) ? 'good' : random.pick(REPLIES);
    if (hosts.length < HOSTS && random.chance(0.1)) hosts.push(random.pick(hosts).fork());
    const asking = random.chance(0.2) ? hosts : [random.pick(hosts)];
    const prepared = asking.map((host) => {
      const picked = random.pick(ACTIONS);
      // A summary keeps the objects that it was made of, and with forks the view continues only one.
      const action = picked === 'edit in place' && hosts.length > 1 ? 'edit' : picked;
      host.act(action);
      count(action);
      host.pause();
      return prepare(views, host, { last: action, window: compression.config.maxContextTokens });
    });
    await Promise.all(prepared);
    assert.ok(!model.isFailed, 'a compression failed unexpectedly');
    assert.ok(views.size <= HOSTS, 'more views than are allowed');
    count('prepared', asking.length);
  }
}

/** @param {ContextViews} views @param {CodingHost} host @param {{ last: string, window: number }} where */
async function prepare(views, { messages: stored, now, writer }, { last, window }) {
  const before = JSON.stringify(stored);
  const prepared = await views.prepare(stored, { now });
  assert.equal(JSON.stringify(stored), before, 'R0.1 a stored message was written to');
  if (!READ_FORMS.has(writer.form)) return;
  assertPrepared(prepared, stored, last);
  assertRequest(prepared.messages, stored, window);
}

/** @param {Random} random @param {Count} count */
export async function play(random, count) {
  if (random.chance(0.6)) playProjected(random, count);
  else await playPrepared(random, count);
}
