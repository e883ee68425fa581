// @ts-check
/** Renders accounts of recorded sessions as tables: what they hold, what was paid, and what each policy would have cost. */
import { printable } from '../printable.mjs';
import { displayWidth, renderTable, right } from '../table.mjs';
import { count, firstOf, percentOf, plural } from '../wording.mjs';
import { money, paidText, policyNames, pricesText, signedPercent, tokensText } from './amounts.mjs';
import { explanations } from './explanations.mjs';
import { errorOf, policyTotals, restOf, sessionsIn, totalsByAgent, unpricedOf } from './figures.mjs';

/**
 * @typedef {import('./read.mjs').Accounts} Accounts
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {import('./figures.mjs').FileSession} FileSession
 * @typedef {import('../terminal.mjs').Look} Look
 */

/** Width of a share's bar. */
const barCells = 24;

/** The path; with the session id if the file may hold several. @param {FileSession} session */
export function nameOf({ path, account }) {
  return account.id !== null && path.endsWith('output.jsonl') ? `${path}#${account.id}` : path;
}

/** @param {Accounts} accounts @returns {string[]} a line for each kind of note */
function notesOf({ files }) {
  const sums = new Map();
  for (const { what, count } of files.flatMap(({ sessions }) => sessions.flatMap(({ notes }) => notes))) {
    sums.set(what, (sums.get(what) ?? 0) + count);
  }
  return [...sums].map(([what, sum]) => `Note: ${count(sum)} × ${what}.\n`);
}

/** Maximum number of models that are named. */
const maxUnpriced = 5;

/** @param {Accounts} accounts @returns {string} the models and tokens without a price; empty if there are none */
function unpricedNote(accounts) {
  const models = unpricedOf(sessionsIn(accounts).map(({ account }) => account));
  if (models.length === 0) return '';
  const named = models
    .slice(0, maxUnpriced)
    .map(({ model, tokens }) => `${model ?? 'an unnamed model'} (${tokensText(tokens)})`);
  const others = models.length > named.length ? `, and ${count(models.length - named.length)} more` : '';
  const all = tokensText(models.reduce((sum, { tokens }) => sum + tokens, 0));
  return `Note: no price is known for ${all} tokens of ${printable(named.join(', '))}${others}; --prices gives one.\n`;
}

/** Notes, the number of files, and where the prices are from. @param {Accounts} accounts @returns {string} */
export function footer(accounts) {
  const { passedOver, pricesDate, uncheckedModels, files } = accounts;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const unchecked =
    uncheckedModels.length === 0
      ? ''
      : `The price of ${printable(uncheckedModels.join(', '))} was not compared with its provider’s own list. `;
  const skipped = passedOver === 0 ? '' : `; ${plural(passedOver, 'other file')} skipped`;
  return `${notesOf(accounts).join('')}${unpricedNote(accounts)}${plural(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB${skipped}. Prices of ${pricesDate}; “tok” are tokens at the base price of input, where a model’s price isn’t known. ${unchecked}Nothing has left this machine.\n`;
}

const billColumns = [
  { title: 'agent' },
  { title: 'session', flexible: true },
  right('requests', { dropOrder: 2 }),
  right('paid', { dropOrder: 4 }),
  right('prompts'),
  right('predicted'),
  right('error'),
  right('unannounced', { dropOrder: 3 }),
  right('rest'),
];
const agentColumns = [
  { title: 'agent' },
  right('sessions'),
  right('requests', { dropOrder: 1 }),
  right('prompts'),
  right('predicted'),
  right('error'),
  right('rest'),
  right('median rest', { dropOrder: 2 }),
];

/** @param {import('./read.mjs').Bill} bill */
function predictionOf(bill) {
  return [
    money(bill.predictedUsd, bill.predicted),
    signedPercent(errorOf(bill.predicted, bill.paid)),
    bill.unannouncedRequests === 0 ? '' : count(bill.unannouncedRequests),
    signedPercent(restOf(bill)),
  ];
}

/** What was paid, and what is predicted, by session and by agent. @param {Accounts} accounts @param {Look} look */
export function billTables(accounts, look) {
  const sessions = sessionsIn(accounts);
  const rows = sessions.map((session) => {
    const { agentName, requests, bill } = session.account;
    if (bill === null) return [agentName, nameOf(session), count(requests), '', '', 'no usage', '', '', ''];
    return [
      agentName,
      nameOf(session),
      count(bill.requests),
      paidText(bill),
      money(bill.paidUsd, bill.paid),
      ...(bill.isOfSession ? ['session only', '', '', ''] : predictionOf(bill)),
    ];
  });
  const agents = totalsByAgent(sessions).map((total) => [
    total.agent,
    count(total.sessions),
    count(total.requests),
    `${tokensText(total.paid)} tok`,
    `${tokensText(total.predicted)} tok`,
    signedPercent(errorOf(total.predicted, total.paid)),
    signedPercent(errorOf(total.predicted + total.unannounced, total.paid)),
    total.medianRest === null ? '' : `${(total.medianRest * 100).toFixed(1)} %`,
  ]);
  const each = renderTable(billColumns, rows, look);
  const total = renderTable(agentColumns, agents, look, { hasTotal: true });
  return `${each}\n${total}
What was paid in all, and for prompts, beside what a simple model of the cache predicts for these. “Unannounced” are requests that read more or less than anything in the file foretells; “rest” is the error with those at what was paid.

${explanations(accounts, look)}`;
}

/** Each policy's cost relative to that of the unmodified history. @param {Accounts} accounts @param {Look} look */
export function policyTables(accounts, look) {
  const sessions = sessionsIn(accounts).filter(({ account }) =>
    account.simulations.some(({ policies }) => policies.length > 0),
  );
  let text = '';
  for (const [priceList, totals] of policyTotals(sessions)) {
    const policies = [...totals.keys()].filter((policy) => policy !== 'leave-alone');
    const columns = [
      { title: 'agent' },
      { title: 'session', flexible: true },
      right('left alone'),
      ...policies.map((policy, at) =>
        right(policyNames.get(policy) ?? policy, policy === 'view' ? {} : { dropOrder: policies.length - at }),
      ),
    ];
    const rows = sessions.flatMap((session) => {
      const figures = session.account.simulations.find(({ prices }) => prices === priceList)?.policies ?? [];
      const alone = figures.find(({ policy }) => policy === 'leave-alone');
      if (alone === undefined || alone.cost === 0) return [];
      const shares = figures.filter((one) => one !== alone).map(({ cost }) => (cost / alone.cost).toFixed(3));
      const usd = priceList === 'own' ? alone.usd : null;
      return [[session.account.agentName, nameOf(session), money(usd, alone.cost), ...shares]];
    });
    const alone = totals.get('leave-alone')?.cost ?? 1;
    const shares = policies.map((policy) => ((totals.get(policy)?.cost ?? 0) / alone).toFixed(3));
    rows.push(['all', '', `${tokensText(alone)} tok`, ...shares]);
    const table = renderTable(columns, rows, look, { hasTotal: true });
    const title = `Cost of prompts under each policy, ${pricesText(priceList)}, relative to leaving the history alone`;
    text += `${look.styles.bold(title)}\n${table}\n`;
  }
  return text;
}

/** @param {number} share @param {import('../terminal.mjs').Styles} styles */
function bar(share, styles) {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * barCells);
  return styles.green('█'.repeat(filled)) + styles.dim('░'.repeat(barCells - filled));
}

/** @typedef {[name: string, figure: number, note: string]} Bar `note`: after the figure */

/** @param {readonly Bar[]} rows @param {number} whole @param {import('../terminal.mjs').Styles} styles */
function bars(rows, whole, styles) {
  const width = Math.max(0, ...rows.map(([name]) => displayWidth(printable(name))));
  const lines = rows.map(([name, figure, note]) => {
    const share = whole > 0 ? figure / whole : 0;
    const figures = `${tokensText(figure).padStart(8)} ${`${(share * 100).toFixed(1)} %`.padStart(7)}`;
    const fill = ' '.repeat(width - displayWidth(printable(name)));
    return `  ${printable(name)}${fill}  ${bar(share, styles)} ${figures}${note}`;
  });
  return `${lines.join('\n')}\n`;
}

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
  let text = `${styles.bold(printable(path))}\n  ${printable(head.filter(Boolean).join(' · '))}\n\n`;
  const block = (/** @type {string} */ title, /** @type {readonly Bar[]} */ rows) => {
    if (rows.length > 0) text += `${title}\n${bars(rows, sent, styles)}\n`;
  };
  const note = (/** @type {number} */ results) => `  ${plural(results, 'result')}`;
  block(
    `What was sent, over all requests: ${tokensText(sent)} tokens`,
    account.kinds.map(({ kind, tokens }) => [kind, tokens.sent, '']),
  );
  block(
    'By tool, calls and results',
    account.tools
      .slice(0, maxTools)
      .map(({ tool, results, calls, tokens }) => [tool, calls.sent + tokens.sent, note(results)]),
  );
  block(
    'Outdated and still sent, by rule',
    account.outdated.map(({ rule, results, tokens }) => [rule, tokens.sent, note(results)]),
  );
  return text + waterfallText(account, look);
}

/** Maximum number of line numbers that are listed. */
const maxLines = 5;
/** Why the cache was lost, by a loss's `surprise` or `cause`. @type {Readonly<Record<string, string>>} */
const lossNames = {
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

/** @param {import('./read.mjs').Waterfall['losses'][number]} loss */
function lossName({ cause, surprise, requests }) {
  return `cache lost ${count(requests.length)}×: ${lossNames[surprise ?? cause] ?? lossNames.unknown}`;
}

/** The bill as parts that add up to what was paid. @param {Account} account @param {Look} look */
function waterfallText({ bill }, look) {
  if (bill === null) return '';
  const { currency, paid, newInput, reread, hasCache, losses, output } = bill.waterfall;
  const row = (/** @type {string} */ what, /** @type {number} */ amount, where = '') => [
    what,
    money(currency === 'usd' ? amount : null, amount),
    percentOf(amount, paid),
    where,
  ];
  const linesText = (/** @type {(typeof losses)[number]} */ { requests }) => {
    const busts = requests.map(([thread, request]) =>
      bill.busts.find((bust) => bust.thread === thread && bust.request === request),
    );
    const known = busts.flatMap((bust) => (bust === undefined || bust.line === 0 ? [] : [bust.line]));
    return known.length === 0 ? '' : `lines ${firstOf(known, maxLines)}`;
  };
  const rows = [
    row('new input', newInput),
    row(hasCache ? 'history, read from the cache' : 'history, sent without a cache', reread),
    ...losses.map((loss) => row(lossName(loss), loss.cost, linesText(loss))),
    row('output', output),
    row('paid', paid),
  ];
  const basis = bill.isRecorded ? 'paid for, as recorded' : 'paid for, at list prices';
  const columns = [{ title: basis, flexible: true }, right(''), right(''), { title: '', dropOrder: 1 }];
  return `${renderTable(columns, rows, look, { indent: '  ', hasTotal: true })}\n`;
}

/** Each session's tokens by kind of message. @param {Accounts} accounts @param {Look} look */
export function tokensTables(accounts, look) {
  return sessionsIn(accounts)
    .map(({ path, account }) => {
      const whole = account.kinds.reduce((sum, { tokens }) => sum + tokens.once, 0);
      const row = (/** @type {string} */ title, /** @type {number} */ tokens) => [title, count(Math.round(tokens))];
      const rows = account.kinds.map(({ kind, tokens }) => [...row(kind, tokens.once), percentOf(tokens.once, whole)]);
      rows.push([...row('all', whole), '']);
      const columns = [{ title: 'kind' }, right('tokens'), right('share')];
      const how = account.bill === null ? 'o200k_base' : 'o200k_base, scaled to the recorded usage';
      const table = renderTable(columns, rows, look, { indent: '  ', hasTotal: true });
      return `${look.styles.bold(printable(path))}\n  ${account.agentName}, ${plural(account.messages, 'message')}, each counted once (${how})\n\n${table}`;
    })
    .join('\n');
}
