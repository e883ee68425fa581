// @ts-check
/** Shows one session: what was sent, by kind, tool and rule, and its bill. */
import { printable } from '../print.mjs';
import { displayWidth, renderTable, right } from '../table.mjs';
import { firstOf, formatCount, money, percentOf, plural, tokensText } from '../wording.mjs';

/** @import { Account, FileSession } from './read.mjs' */
/** @import { Look, Styles } from '../print.mjs' */

/** @typedef {[name: string, tokens: number, results?: number]} Bar */

/** Cells of a share's bar. */ const barCells = 24;

/** @param {readonly Bar[]} bars @param {number} allTokens @param {Styles} styles */
function barLines(bars, allTokens, styles) {
  const width = Math.max(0, ...bars.map(([name]) => displayWidth(printable(name))));
  const lines = bars.map(([name, tokens, results]) => {
    const share = allTokens > 0 ? tokens / allTokens : 0;
    const filled = Math.round(Math.min(1, Math.max(0, share)) * barCells);
    const bar = styles.green('█'.repeat(filled)) + styles.dim('░'.repeat(barCells - filled));
    const figures = `${tokensText(tokens).padStart(8)} ${`${(share * 100).toFixed(1)} %`.padStart(7)}`;
    const fill = ' '.repeat(width - displayWidth(printable(name)));
    const note = results === undefined ? '' : `  ${plural(results, 'result')}`;
    return `  ${printable(name)}${fill}  ${bar} ${figures}${note}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Maximum number of tools that are listed. */ const maxTools = 12;

/** @param {FileSession} session @param {Look} look */
export function sessionDetail({ account, path }, look) {
  const { styles } = look;
  const sent = account.kinds.reduce((sum, { tokens }) => sum + tokens.sent, 0);
  const head = [
    account.agentName,
    account.models.join(', '),
    plural(account.requests, 'request'),
    `peak ${tokensText(account.peakTokens)} tokens`,
    plural(account.compactions, 'compaction'),
  ];
  const block = (/** @type {string} */ title, /** @type {Bar[]} */ bars) =>
    bars.length > 0 ? `${title}\n${barLines(bars, sent, styles)}\n` : '';
  /** @type {Bar[]} */ const kinds = account.kinds.map(({ kind, tokens }) => [kind, tokens.sent]);
  /** @type {Bar[]} */ const tools = account.tools
    .slice(0, maxTools)
    .map(({ tool, results, calls, tokens }) => [tool, calls.sent + tokens.sent, results]);
  /** @type {Bar[]} */ const rules = account.outdated.map(({ rule, results, tokens }) => [rule, tokens.sent, results]);
  return [
    `${styles.bold(printable(path))}\n  ${printable(head.filter(Boolean).join(' · '))}\n\n`,
    block(`What was sent, over all requests: ${tokensText(sent)} tokens`, kinds),
    block('By tool, calls and results', tools),
    block('Outdated and still sent, by rule', rules),
    waterfallText(account, look),
  ].join('');
}

/** Maximum number of lines of the session file that are listed for a cause. */ const maxLines = 5;
/** By `cause`, or by `surprise` if the file doesn't record the cause. @type {Readonly<Record<string, string>>} */
const causeNames = {
  idle: 'a pause',
  compaction: 'compacted or cleared',
  'edited-prefix': 'prompt began otherwise',
  unknown: 'file doesn’t say why',
  'less-left': 'less left than usual',
  'gone-early': 'gone early in a pause',
  'new-start': 'new start at a turn',
  'lost-at-turn': 'in part, at a turn',
  'lost-within-turn': 'within a turn',
};

/** The parts of a bill; `losses` are cache misses by cause. @param {Account} account @param {Look} look */
function waterfallText({ bill }, look) {
  if (bill === null) return '';
  const { currency, paid, newInput, reread, hasCache, losses, output } = bill.waterfall;
  const amountText = (/** @type {number} */ amount) => money(currency === 'usd' ? amount : null, amount);
  const row = (/** @type {string} */ what, /** @type {number} */ amount, where = '') => {
    return [what, amountText(amount), percentOf(amount, paid), where];
  };
  const causeRow = (/** @type {(typeof losses)[number]} */ { cause, surprise, requests, cost }) => {
    const name = `cache lost ${formatCount(requests.length)}×: ${causeNames[surprise ?? cause] ?? causeNames.unknown}`;
    const fileLines = requests.flatMap(([thread, request]) => {
      return bill.busts.find((miss) => miss.thread === thread && miss.request === request)?.line || [];
    });
    return row(name, cost, fileLines.length === 0 ? '' : `lines ${firstOf(fileLines, maxLines)}`);
  };
  const rows = [
    row('new input', newInput),
    row(hasCache ? 'history, read from the cache' : 'history, sent without a cache', reread),
    ...losses.map(causeRow),
    row('output', output),
    row('paid', paid),
  ];
  const basis = bill.isRecorded ? 'paid for, as recorded' : 'paid for, at list prices';
  const columns = [{ title: basis, flexible: true }, right(''), right(''), { title: '', dropOrder: 1 }];
  return `${renderTable(columns, rows, look, { indent: '  ', hasTotal: true })}\n`;
}
