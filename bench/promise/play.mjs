// @ts-check
/**
 * Plays one session in one scenario under one price list, with a view and with unmodified history, against a provider
 * with the same cache losses.
 */
import { PRICES } from '../../__test__/support/cache-biller.mjs';
import {
  breakpointsOn,
  PlainBreakpoints,
  RollingBreakpoints,
  reread,
  UnmodifiedHistory,
  withPictureReread,
} from './forms.mjs';
import { Host } from './hosts.mjs';
import { PathSums } from './path-sums.mjs';
import { Prompts, systemLength } from './prompts.mjs';
import { ProviderAccount } from './provider-account.mjs';
import { randomFor } from './random.mjs';
import { Reporter } from './reports.mjs';
import { requestsOf } from './requests.mjs';

/**
 * @typedef {import('./requests.mjs').Request} Request
 * @typedef {import('./hosts.mjs').Hosting} Hosting
 * @typedef {import('./sessions.mjs').Session} Session
 * @typedef {Request & { given: any[], unmodified: any[], marks: number[], isEarlierPart: boolean }} PlayedRequest
 *   `given`: input of the view; `unmodified`: unmodified history with breakpoints at `marks`; `isEarlierPart`: an
 *   earlier request sent the same and more
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {boolean} [isCovered] true (default) if the promise covers the scenario
 * @property {import('./requests.mjs').Life} [life]
 * @property {import('./reports.mjs').Reports} [reports] default: truthful
 * @property {readonly Hosting[]} [hostings]
 * @property {Record<string, unknown>} [options] options of the view
 * @property {import('./provider-account.mjs').Factors} [factors]
 * @property {'as-stored' | 'picture' | 'marks' | 'reread'} [form] in which the application passes its messages
 * @property {boolean} [isMarked] true if the view sets cache breakpoints and the provider caches only at breakpoints
 * @property {'lists' | 'no-cache'} [provider]
 * @property {boolean} [stampsLie] true if the timestamps show pauses during which the cache stayed warm
 * @property {boolean} [compacts] true if the application itself compacts
 * @property {readonly string[]} [prices]
 * @property {'usual' | 'small' | 'medium' | 'long' | 'minimum' | 'pictures'} [sessions]
 *
 * @typedef {object} Played
 * @property {number} cost
 * @property {number} alone
 * @property {number} worst maximum over all requests: cost of the requests on its path, relative to unmodified history
 * @property {number} worstAt
 * @property {import('./hosts.mjs').Ledger | null} ledger
 * @property {number} requests
 * @property {number} prefixChanges number of requests that don't start with the whole previous request although the
 *   stored messages do
 * @property {number} tooManyMarks number of requests with more breakpoints than the provider accepts
 * @property {{ ours: number, alone: number } | null} compactions number of the application's compactions, if it
 *   compacts
 * @property {number[]} sent what was sent with each main request, except requests that repeat an earlier part of the
 *   conversation
 */

const MAX_MARKS = 4;
/** An early cache eviction happens after this share of the cache's lifetime. */
const EARLY = 0.3;
/** With wrong timestamps, pauses are at most this share of the cache's lifetime. */
const WARM = 0.8;
/** The provider counts tokens as we do. */
const SAME_COUNTS = { tools: 1, rest: 1 };

/** A session's requests, and everything that is the same under each price list. */
export class PreparedSession {
  prompts = new Prompts();
  /** @type {PlayedRequest[]} */ requests;

  /** @param {Session} session @param {Scenario} scenario */
  constructor(session, scenario) {
    this.session = session;
    this.scenario = scenario;
    const { life = {}, form = 'as-stored', isMarked = false } = scenario;
    const marks = { rolling: new RollingBreakpoints(), plain: new PlainBreakpoints() };
    const history = new UnmodifiedHistory();
    const written = requestsOf(session, life, randomFor(`${scenario.name} ${session.name}`));
    this.requests = written.map((request, index) => {
      const isMain = request.kind === 'main';
      const given = inForm(form, request.stored, () => marks.rolling.put(request.stored, isMain));
      const unmodified = history.messagesOf(request.branch, given, request.nowMs);
      const placed = form === 'marks' ? breakpointsOn(unmodified) : marks.plain.indexesIn(unmodified, isMain);
      const isEarlierPart = written.slice(0, index).some((earlier) => isPrefix(earlier.stored, request.stored));
      return { ...request, isEarlierPart, given, unmodified, marks: isMarked || form === 'marks' ? placed : [] };
    });
  }
}

/**
 * True if `part` is a prefix of `stored`. If more was sent before, the view takes `part` for a side request.
 * @param {readonly any[]} stored @param {readonly any[]} part
 */
function isPrefix(stored, part) {
  return stored.length > part.length && stored[part.length - 1] === part.at(-1);
}

/**
 * The messages in the form in which the application passes them.
 * @param {NonNullable<Scenario['form']>} form @param {any[]} stored @param {() => any[]} mark @returns {any[]}
 */
function inForm(form, stored, mark) {
  if (form === 'picture') return withPictureReread(stored);
  if (form === 'reread') return reread(stored);
  return form === 'marks' ? mark() : stored;
}

/** One play, with its two accounts. */
class Play {
  /** @type {Played} */
  result = {
    cost: 0,
    alone: 0,
    worst: 0,
    worstAt: -1,
    ledger: null,
    requests: 0,
    prefixChanges: 0,
    tooManyMarks: 0,
    compactions: null,
    sent: [],
  };
  #providerMs = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #paths = new PathSums();
  /** Last prompts by branch. @type {Map<number, { ours: number[], alone: number[] }>} */ #before = new Map();

  /** @param {PreparedSession} prepared @param {string} price @param {Hosting} hosting */
  constructor({ prompts, scenario, session }, price, hosting) {
    const { options, reports = 'truthful', factors = SAME_COUNTS, provider = 'lists' } = scenario;
    this.scenario = scenario;
    const list = /** @type {any} */ (PRICES)[price];
    this.prices = provider === 'no-cache' ? { ...list, ttlMs: -1 } : list;
    this.ours = new ProviderAccount(this.prices, prompts, factors);
    this.alone = new ProviderAccount(this.prices, prompts, factors);
    this.host = new Host(hosting, { placeholderLanguage: 'en', price, ...options });
    this.reporter = new Reporter(reports, price, randomFor(`reports ${scenario.name} ${session.name}`));
  }

  /** @param {PlayedRequest} request */
  send(request) {
    const { given, unmodified, nowMs } = request;
    const { messages, marks, observe } = this.host.send(request, given, nowMs);
    const keepsOnly = this.#keepsOnly(request);
    const terms = { nowMs: this.#clock(nowMs), keepsOnly };
    const isMarked = this.scenario.isMarked === true || this.scenario.form === 'marks';
    const ours = this.ours.bill(messages, { ...terms, marks: isMarked ? this.#allBreakpoints(messages, marks) : null });
    const alone = this.alone.bill(unmodified, { ...terms, marks: isMarked ? request.marks : null });
    this.reporter.deliver(ours, observe);
    this.#compare(request, ours, alone);
  }

  /** @param {readonly any[]} messages @param {readonly number[]} marks */
  #allBreakpoints(messages, marks) {
    const all = [...new Set([...breakpointsOn(messages), ...marks])].sort((a, b) => a - b);
    if (all.length > MAX_MARKS) this.result.tooManyMarks++;
    return all.slice(-MAX_MARKS);
  }

  /** The provider's time of a request. @param {number} nowMs */
  #clock(nowMs) {
    const gap = Math.max(0, nowMs - this.#lastMs);
    const most = this.scenario.stampsLie ? WARM * this.prices.ttlMs : gap;
    if (Number.isFinite(gap)) this.#providerMs += Math.min(gap, most);
    this.#lastMs = nowMs;
    return this.#providerMs;
  }

  /** Number of messages that stay in the cache; null if nothing is lost. @param {PlayedRequest} request */
  #keepsOnly({ loss, earlyRoll, unmodified, nowMs }) {
    const gap = nowMs - this.#lastMs;
    if (this.scenario.life?.isEvictedEarly && gap > EARLY * this.prices.ttlMs && earlyRoll < 0.5) return 0;
    if (loss === null) return null;
    if (loss.kind === 'system') return systemLength(unmodified);
    return loss.kind === 'all' ? 0 : Math.floor(loss.share * unmodified.length);
  }

  /**
   * @param {PlayedRequest} request @param {import('./provider-account.mjs').Billed} ours
   * @param {import('./provider-account.mjs').Billed} alone
   */
  #compare({ kind, branch, isAsked, isEarlierPart }, ours, alone) {
    const { result } = this;
    // A side request belongs to the path that it continues.
    const path = isAsked ? alone.nodes.slice(0, -1) : alone.nodes;
    const sum = this.#paths.add(path, ours.cost, alone.cost);
    if (sum.ours / sum.alone > result.worst) {
      result.worst = sum.ours / sum.alone;
      result.worstAt = result.requests;
    }
    result.requests++;
    if (kind !== 'main') return;
    const before = this.#before.get(branch);
    if (
      before !== undefined &&
      !continuesRequest(before.ours, ours.nodes) &&
      continuesRequest(before.alone, alone.nodes)
    )
      result.prefixChanges++;
    this.#before.set(branch, { ours: ours.nodes, alone: alone.nodes });
    if (!isEarlierPart) result.sent.push(ours.nodes.at(-1) ?? 0);
  }

  /** @returns {Played} */
  end() {
    const { ours, alone, host, result } = this;
    return { ...result, cost: ours.cost, alone: alone.cost, ledger: host.ledger() };
  }
}

/**
 * True if a request begins with the whole previous one.
 * @param {readonly number[]} before @param {readonly number[]} nodes
 */
function continuesRequest(before, nodes) {
  return nodes[before.length - 1] === before.at(-1);
}

/** Plays a session. @param {PreparedSession} prepared @param {string} price @param {Hosting} hosting @returns {Played} */
export function play(prepared, price, hosting) {
  const run = new Play(prepared, price, hosting);
  for (const request of prepared.requests) run.send(request);
  return run.end();
}
