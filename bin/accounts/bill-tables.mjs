// @ts-check
/** Tables of what was paid for sessions' prompts, what a model of the prompt cache predicts, and why these differ. */
import { printable } from '../print.mjs';
import { renderTable, right } from '../table.mjs';
import { firstOf, formatCount, money, paidText, plural, signedPercent, tokensText } from '../wording.mjs';
import { sessionName, sessionsIn } from './read.mjs';

/** @import { Accounts, Bill, FileSession } from './read.mjs' */
/** @import { Look } from '../print.mjs' */

const figureColumns = [right('prompts'), right('predicted'), right('error')];
const billColumns = [
  ...[{ title: 'agent' }, { title: 'session', flexible: true }, right('requests', { dropOrder: 2 })],
  ...[right('paid', { dropOrder: 4 }), ...figureColumns, right('unannounced', { dropOrder: 3 }), right('rest')],
];
const agentColumns = [
  ...[{ title: 'agent' }, right('sessions'), right('requests', { dropOrder: 1 }), ...figureColumns, right('rest')],
  right('median rest', { dropOrder: 2 }),
];

/** The error as a share of what was paid. @param {number} predicted @param {number} paid */
const relativeError = (predicted, paid) => (paid > 0 ? predicted / paid - 1 : null);

/** The error without unannounced requests. @param {Pick<Bill, 'predicted' | 'unannounced' | 'paid'>} bill */
const restError = ({ predicted, unannounced, paid }) => relativeError(predicted + unannounced, paid);

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** A row of the table by agent. @param {string} agent @param {readonly FileSession[]} sessions */
function agentRow(agent, sessions) {
  // A bill recorded for the whole session only has no prediction.
  const bills = sessions.flatMap(({ account: { bill } }) => (bill === null || bill.isOfSession ? [] : [bill]));
  const sum = (/** @type {(bill: Bill) => number} */ figure) => bills.reduce((total, bill) => total + figure(bill), 0);
  const [paid, predicted] = [sum((bill) => bill.paid), sum((bill) => bill.predicted)];
  const medianRest = median(bills.map((bill) => Math.abs(restError(bill) ?? 0)));
  return [
    agent,
    formatCount(sessions.length),
    formatCount(sessions.reduce((total, { account }) => total + account.requests, 0)),
    `${tokensText(paid)} tok`,
    `${tokensText(predicted)} tok`,
    signedPercent(relativeError(predicted, paid)),
    signedPercent(restError({ predicted, paid, unannounced: sum((bill) => bill.unannounced) })),
    medianRest === null ? '' : `${(medianRest * 100).toFixed(1)} %`,
  ];
}

/** What was paid, and what is predicted, by session and by agent. @param {Accounts} accounts @param {Look} look */
export function billTables(accounts, look) {
  const sessions = sessionsIn(accounts);
  const rows = sessions.map((session) => {
    const { agentName, requests, bill } = session.account;
    const cells = [agentName, sessionName(session), formatCount(bill?.requests ?? requests)];
    if (bill === null) return [...cells, '', '', 'no usage', '', '', ''];
    cells.push(paidText(bill), money(bill.paidUsd, bill.paid));
    if (bill.isOfSession) return [...cells, 'session only', '', '', ''];
    const { predicted, paid, unannouncedRequests } = bill;
    const unannounced = unannouncedRequests === 0 ? '' : formatCount(unannouncedRequests);
    const error = signedPercent(relativeError(predicted, paid));
    return [...cells, money(bill.predictedUsd, predicted), error, unannounced, signedPercent(restError(bill))];
  });
  const agents = new Set(sessions.map(({ account }) => account.agentName));
  const ofAgent = (/** @type {string} */ name) => sessions.filter(({ account }) => account.agentName === name);
  const agentRows = Array.from(agents, (agent) => agentRow(agent, ofAgent(agent)));
  const bySession = renderTable(billColumns, rows, look);
  const byAgent = renderTable(agentColumns, [...agentRows, agentRow('all', sessions)], look, { hasTotal: true });
  return `${bySession}\n${byAgent}
What was paid in all, and for prompts, beside what a simple model of the cache predicts for these. “Unannounced” are requests that read more or less than anything in the file foretells; “rest” is the error with those at what was paid.

${explanations(accounts, look)}`;
}

/** Shares of what was paid: smaller errors need no explanation, and a smaller {@link restError} is not listed. */
const [largeError, minRest] = [0.02, 0.005];
/** Maximum number of line numbers that are listed. */ const maxLines = 5;

/** What the error consists of, largest part first. @param {Bill} bill */
function reasonsOf(bill) {
  const parts = bill.surprises.map(({ meaning, requests, difference, lines }) => {
    // Some formats have no line numbers.
    const known = lines.filter((line) => line > 0);
    const place = known.length === 0 ? '' : ` (line${known.length === 1 ? '' : 's'} ${firstOf(known, maxLines)})`;
    return { share: -difference / bill.paid, text: `${plural(requests, 'request')}: ${meaning}${place}` };
  });
  const rest = restError(bill) ?? 0;
  if (Math.abs(rest) >= minRest) {
    parts.push({ share: rest, text: 'differences below 1,024 tokens or a tenth at each request' });
  }
  parts.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return parts.map(({ share, text }) => `  ${signedPercent(share).padStart(8)}  ${text}`);
}

/** By the requests whose cost nothing in the file foretells. @param {Accounts} accounts @param {Look} look */
function explanations(accounts, { styles }) {
  const paragraphs = sessionsIn(accounts).flatMap(({ path, account: { bill } }) => {
    const error = bill === null ? null : relativeError(bill.predicted, bill.paid);
    if (bill === null || error === null || Math.abs(error) <= largeError) return [];
    return [[`${printable(path)}: ${signedPercent(error)}`, ...reasonsOf(bill)].join('\n')];
  });
  if (paragraphs.length === 0) return '';
  return `${styles.bold('Why predictions are off by more than 2 %')}\n${paragraphs.join('\n')}\n\n`;
}
