// @ts-check
/**
 * An application that compacts when a prompt reaches a share of its context window: a summary from the model replaces
 * all but the newest messages. With a view its prompts are shorter, so it compacts at other times; therefore it is
 * played separately with and without a view.
 */
import { PRICES } from '../../__test__/support/cache-biller.mjs';
import { UnmodifiedHistory } from './forms.mjs';
import { Host } from './hosts.mjs';
import { Prompts, systemLength } from './prompts.mjs';
import { ProviderAccount } from './provider-account.mjs';

/**
 * @typedef {import('./play.mjs').Scenario} Scenario
 * @typedef {import('./play.mjs').Played} Played
 * @typedef {(stored: any[], nowMs: number, isSummary: boolean) => any[]} Sends returns the messages sent to the
 *   provider
 */

const WINDOW_TOKENS = 200_000;
/** Share of the window above which it compacts. */
const COMPACTS_AT = 0.8;
/** Number of recent requests that a compaction keeps, with their results. */
const KEPT_REQUESTS = 4;
/** Time between requests if a recording has no times. */
const PACE_MS = 10_000;
const SUMMARY = `Summary of the work so far. ${'What was asked, what was done, what is left to do. '.repeat(120)}`;

/** One of the two runs: its messages, its bill, its compactions. */
class World {
  /** @type {any[]} */ stored = [];
  /** Running total of the bill after each request. @type {number[]} */ sums = [];
  compactions = 0;

  /** @param {ProviderAccount} account @param {Sends} sends */
  constructor(account, sends) {
    this.account = account;
    this.sends = sends;
  }

  /** @param {number} nowMs */
  request(nowMs) {
    const { total } = this.account.bill(this.sends(this.stored, nowMs, false), { nowMs });
    if (total > COMPACTS_AT * WINDOW_TOKENS) this.#compact(nowMs);
    this.sums.push(this.account.cost);
  }

  /** @param {number} nowMs */
  #compact(nowMs) {
    const { stored } = this;
    this.compactions++;
    const summaryRequest = [...stored, { role: 'user', content: 'Write a summary of all this.' }];
    this.account.bill(this.sends(summaryRequest, nowMs, true), { nowMs });
    const boundaries = stored.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
    const summary = { role: 'user', content: `${SUMMARY}(${this.compactions})` };
    this.stored = [
      ...stored.slice(0, systemLength(stored)),
      summary,
      ...stored.slice(boundaries.at(-KEPT_REQUESTS) ?? 0),
    ];
  }
}

/**
 * Plays a session with and without a view.
 * @param {import('./sessions.mjs').Session} session
 * @param {Scenario} scenario
 * @param {string} price
 * @param {import('./hosts.mjs').Hosting} hosting
 * @returns {Played}
 */
export function playCompacting({ messages }, { options, factors = { tools: 1, rest: 1 } }, price, hosting) {
  const list = /** @type {any} */ (PRICES)[price];
  const prompts = new Prompts();
  const host = new Host(hosting, { placeholderLanguage: 'en', price, ...options });
  const unmodified = new UnmodifiedHistory();
  const ours = new World(new ProviderAccount(list, prompts, factors), (stored, nowMs, isSummary) => {
    return host.send(requestOf(isSummary), [...stored], nowMs).messages;
  });
  const alone = new World(new ProviderAccount(list, prompts, factors), (stored, nowMs) =>
    unmodified.messagesOf(0, [...stored], nowMs),
  );
  let nowMs = 0;
  for (const message of messages) {
    if (message.role === 'assistant' && ours.stored.length > 0) {
      nowMs = Math.max(nowMs + (messages[0].timestamp === undefined ? PACE_MS : 1), ours.stored.at(-1)?.timestamp ?? 0);
      for (const world of [ours, alone]) world.request(nowMs);
    }
    for (const world of [ours, alone]) world.stored.push(message);
  }
  return summed(ours, alone, host);
}

/** @param {boolean} isSummary */
function requestOf(isSummary) {
  return {
    kind: isSummary ? /** @type {const} */ ('side') : /** @type {const} */ ('main'),
    branch: 0,
    startsTurn: false,
  };
}

/** @param {World} ours @param {World} alone @param {Host} host @returns {Played} */
function summed(ours, alone, host) {
  const ratios = ours.sums.map((sum, request) => sum / /** @type {number} */ (alone.sums[request]));
  const worst = Math.max(...ratios);
  return {
    cost: ours.account.cost,
    alone: alone.account.cost,
    worst,
    worstAt: ratios.indexOf(worst),
    ledger: host.ledger(),
    requests: ours.account.requests,
    prefixChanges: 0,
    compactions: { ours: ours.compactions, alone: alone.compactions },
    tooManyMarks: 0,
    sent: [],
  };
}
