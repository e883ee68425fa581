/**
 * Shows one session: what was sent, by kind, tool and rule, and what it cost. In an account, `busts` has each cache miss and
 * `losses` the cache misses of each cause.
 */
import { printable } from '../print.mjs';
import { displayWidth, renderTable, right } from '../table.mjs';
import { firstOf, formatCount, money, percentOf, plural, tokensText } from '../wording.mjs';

/**
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {import('./read.mjs').FileSession} FileSession
 * @typedef {import('../print.mjs').Look} Look
 */

/** @typedef {[name: string, tokens: number, note: string]} Bar `note`: after the figures */

/** Cells of a share's bar. */
const barCells = 24;

/** @param {readonly Bar[]} bars @param {number} allTokens @param {import('../print.mjs').Styles} styles */
function barLines(bars, allTokens, styles) {
  const width = Math.max(0, ...bars.map(([name]) => displayWidth(printable(name))));
  const lines = bars.map(([name, tokens, note]) => {
    const share = allTokens > 0 ? tokens / allTokens : 0;
    const filled = Math.round(Math.min(1, Math.max(0, share)) * barCells);
    const bar = styles.green('█'.repeat(filled)) + styles.dim('░'.repeat(barCells - filled));
    const figures = `${tokensText(tokens).padStart(8)} ${`${(share * 100).toFixed(1)} %`.padStart(7)}`;
    const fill = ' '.repeat(width - displayWidth(printable(name)));
    return `  ${printable(name)}${fill}  ${bar} ${figures}${note}`;
  });
  return `${lines.join('\n')}\n`;
}

/** Maximum number of tools that are listed. */
const maxTools = 12;

/** A page on one session: what was sent, by kind, tool and rule, and its bill. @param {FileSession} session @param {Look} look */
export function sessionDetail(session, look) {
  const { styles } = look;
  const { account, path } = session;
  const sent = account.kinds.reduce((sum, { tokens }) => sum + tokens.sent, 0);
  const head = [
    account.agentName,
    account.models.join(', '),
    plural(account.requests, 'request'),
    `peak ${tokensText(account.peakTokens)} tokens`,
    plural(account.compactions, 'compaction'),
  ];
  const note = (/** @type {number} */ results) => `  ${plural(results, 'result')}`;
  /** @type {[title: string, bars: Bar[]][]} */ const blocks = [
    [
      `What was sent, over all requests: ${tokensText(sent)} tokens`,
      account.kinds.map(({ kind, tokens }) => [kind, tokens.sent, '']),
    ],
    [
      'By tool, calls and results',
      account.tools
        .slice(0, maxTools)
        .map(({ tool, results, calls, tokens }) => [tool, calls.sent + tokens.sent, note(results)]),
    ],
    [
      'Outdated and still sent, by rule',
      account.outdated.map(({ rule, results, tokens }) => [rule, tokens.sent, note(results)]),
    ],
  ];
  const texts = blocks.map(([title, bars]) => (bars.length > 0 ? `${title}\n${barLines(bars, sent, styles)}\n` : ''));
  const title = `${styles.bold(printable(path))}\n  ${printable(head.filter(Boolean).join(' · '))}\n\n`;
  return title + texts.join('') + waterfallText(account, look);
}

/** Maximum number of lines of the session file that are listed for a cause. */
const maxLines = 5;
/** Why the cache was missed, by `cause`; by `surprise`, which says what happened, if the file doesn't record the cause. @type {Readonly<Record<string, string>>} */
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

/** The bill as parts that add up to what was paid. @param {Account} account @param {Look} look */
function waterfallText({ bill }, look) {
  if (bill === null) return '';
  const { currency, paid, newInput, reread, hasCache, losses, output } = bill.waterfall;
  const isUsd = currency === 'usd';
  /** `amount`: in dollars, or else in input tokens. */
  const row = (/** @type {string} */ what, /** @type {number} */ amount, where = '') => [
    what,
    isUsd ? money(amount, 0) : money(null, amount),
    percentOf(amount, paid),
    where,
  ];
  const causeRow = (/** @type {(typeof losses)[number]} */ { cause, surprise, requests, cost }) => {
    const name = `cache lost ${formatCount(requests.length)}×: ${causeNames[surprise ?? cause] ?? causeNames.unknown}`;
    const fileLines = requests.flatMap(([thread, request]) => {
      const miss = bill.busts.find((one) => one.thread === thread && one.request === request);
      return miss?.line || [];
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
