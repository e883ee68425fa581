// @ts-check
/**
 * Tables of what each policy (when outdated results are removed) would have cost, and of the needs that it misses:
 * later assistant messages that took lines, words or names from a result that the policy had removed.
 */
import { printable } from '../print.mjs';
import { renderTable, right } from '../table.mjs';
import { formatCount, money, plural, tokensText } from '../wording.mjs';
import { sessionName, sessionsIn } from './read.mjs';

/** @import { Accounts, FileSession, Miss, NeedFigures } from './read.mjs' */
/** @import { Look } from '../print.mjs' */

/** `unmodified` removes nothing; `hindsight` knows the later requests. @type {Readonly<Record<string, string>>} */
const policyTitles = {
  'leave-alone': 'unmodified',
  'every-request': 'every request',
  'batches-20k': '20 k batches',
  'batches-30k': '30 k batches',
  'clear-above-100k': '>100 k',
  'by-age': 'view, by age',
  view: 'ContextView',
  'hindsight-with-promise': 'hindsight, promise',
  'hindsight-search': 'hindsight, 60 wide',
  hindsight: 'hindsight',
};

/** @param {string} policy */
export const titleOf = (policy) => policyTitles[policy] ?? policy;

/** @param {string} priceList its name, or `own` */
export const pricesText = (priceList) =>
  `at the prices of ${priceList === 'own' ? 'each session’s own model' : `“${priceList}”`}`;

/** @typedef {Partial<NeedFigures> & { cost: number }} PolicySums needs only if they were read */

/** @param {readonly FileSession[]} sessions @returns {Map<string, Map<string, PolicySums>>} by price list and policy */
function policyTotals(sessions) {
  const totals = new Map();
  for (const { prices, policies } of sessions.flatMap(({ account }) => account.simulations)) {
    const byPolicy = totals.get(prices) ?? new Map();
    totals.set(prices, byPolicy);
    for (const { policy, cost, need } of policies) {
      const sums = byPolicy.get(policy) ?? {};
      for (const [name, figure] of Object.entries({ cost, ...need })) sums[name] = (sums[name] ?? 0) + figure;
      byPolicy.set(policy, sums);
    }
  }
  return totals;
}

/** Each policy's cost relative to that of the unmodified history. @param {Accounts} accounts @param {Look} look */
export function policyTables(accounts, look) {
  const sessions = sessionsIn(accounts).filter(({ account }) =>
    account.simulations.some(({ policies }) => policies.length > 0),
  );
  let text = '';
  for (const [priceList, totals] of policyTotals(sessions)) {
    const policies = [...totals.keys()].filter((policy) => policy !== 'leave-alone');
    const columns = [{ title: 'agent' }, { title: 'session', flexible: true }, right('unmodified')];
    for (const [index, policy] of policies.entries()) {
      columns.push(right(titleOf(policy), policy === 'view' ? {} : { dropOrder: policies.length - index }));
    }
    const rows = sessions.flatMap((session) => {
      const figures = session.account.simulations.find(({ prices }) => prices === priceList)?.policies ?? [];
      const leftAlone = figures.find(({ policy }) => policy === 'leave-alone');
      if (leftAlone === undefined || leftAlone.cost === 0) return [];
      const others = figures.filter((one) => one !== leftAlone);
      const ratios = others.map(({ cost }) => (cost / leftAlone.cost).toFixed(3));
      const usd = priceList === 'own' ? leftAlone.usd : null;
      return [[session.account.agentName, sessionName(session), money(usd, leftAlone.cost), ...ratios]];
    });
    const baseline = totals.get('leave-alone')?.cost ?? 1;
    const ratios = policies.map((policy) => ((totals.get(policy)?.cost ?? 0) / baseline).toFixed(3));
    rows.push(['all', '', `${tokensText(baseline)} tok`, ...ratios]);
    const table = renderTable(columns, rows, look, { hasTotal: true });
    const title = `Cost of prompts under each policy, ${pricesText(priceList)}, relative to leaving the history alone`;
    text += `${look.styles.bold(title)}\n${table}\n`;
  }
  return text;
}

/** For each kind of need, what is taken: one, several. @type {Record<Miss['kind'], [one: string, many: string]>} */
const nouns = { edit: ['line', 'lines'], quote: ['quotation', 'quotations'], name: ['name', 'names'] };

/** Each policy's relative cost and the needs that it misses. @param {Accounts} accounts @param {Look} look */
export function needTables(accounts, look) {
  let text = '';
  for (const [priceList, totals] of policyTotals(sessionsIn(accounts))) {
    const { cost: baseline = 0, needs: allNeeds, strongNeeds: allStrong = 0 } = totals.get('leave-alone') ?? {};
    if (allNeeds === undefined) continue;
    const ratio = (/** @type {number} */ cost) => (baseline === 0 ? '–' : (cost / baseline).toFixed(3));
    const percent = (/** @type {number} */ part, /** @type {number} */ whole) =>
      whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
    const rows = [...totals].flatMap(([policy, sums]) => {
      const { cost, needs, missed = 0, strongNeeds = 0, strongMissed = 0, lookUps = 0 } = sums;
      if (needs === undefined) return [];
      const shares = [percent(missed, needs), percent(strongMissed, strongNeeds), formatCount(missed)];
      return [[titleOf(policy), ratio(cost), ...shares, ratio(cost + lookUps)]];
    });
    const titles = ['bill', 'missed', 'strong', 'misses', 'looked up'].map((title) => right(title));
    const table = renderTable([{ title: 'policy' }, ...titles], rows, look);
    const heading = look.styles.bold(`Bill and need, ${pricesText(priceList)}`);
    text += `${heading}\n${plural(allNeeds, 'later need')} of a result, ${formatCount(allStrong)} of them strong\n${table}\n`;
  }
  return text;
}

/** Says which request took what from which removed result. @param {Miss} miss */
function sentenceOf(miss) {
  const { kind, gone, grams, example, request, thread, line, call, sourceCall, sourceRequest, replacedAt } = miss;
  const inParentheses = (/** @type {string | null} */ text) => (text === null ? '' : ` (${text})`);
  const [one, many] = nouns[kind];
  const what = `${gone === grams ? '' : `${gone} of `}${grams === 1 ? `one ${one}` : `${grams} ${many}`}`;
  const who = `${thread === 0 ? 'request' : `thread ${thread}, request`} ${request}${inParentheses(call)}`;
  const source = sourceRequest === null ? 'a carried-over result' : `the result of request ${sourceRequest}`;
  const where = line > 0 ? ` (line ${line})` : '';
  return `${who} takes ${what} that only ${source}${inParentheses(sourceCall)} showed; it was replaced at ${replacedAt}: “${example}”${where}`;
}

/** A sentence for each need that `ContextView` misses. @param {Accounts} accounts @param {Look} look */
export function misses(accounts, { styles }) {
  const paragraphs = sessionsIn(accounts).flatMap((session) =>
    session.account.simulations.flatMap(({ prices, misses: all = [] }) => {
      if (all.length === 0) return [];
      const lines = all.map((miss) => `  ${printable(sentenceOf(miss))}${miss.strong ? '' : ' (weak)'}\n`);
      return `${styles.bold(`${printable(sessionName(session))}, ${pricesText(prices)}`)}\n${lines.join('')}\n`;
    }),
  );
  return paragraphs.join('') || 'ContextView misses nothing.\n\n';
}
