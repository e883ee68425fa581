// @ts-check
/** Explains why a predicted bill differs from the paid one: by the requests whose cost nothing in the file foretells. */
import { printable } from '../printable.mjs';
import { firstOf, plural } from '../wording.mjs';
import { signedPercent } from './amounts.mjs';
import { errorOf, restOf, sessionsIn } from './figures.mjs';

/** Smaller errors need no explanation; a share of what was paid. */
const largeError = 0.02;
/** A smaller error without those requests is not listed; a share of what was paid. */
const minRest = 0.005;
/** Maximum number of line numbers that are listed. */
const maxLines = 5;

/** @param {readonly number[]} lines @returns {string} empty if the format has no line numbers */
function linesText(lines) {
  const known = lines.filter((line) => line > 0);
  if (known.length === 0) return '';
  return ` (line${known.length === 1 ? '' : 's'} ${firstOf(known, maxLines)})`;
}

/** @param {import('./read.mjs').Bill} bill @returns {string[]} parts of the error, largest first */
function reasonsOf(bill) {
  const parts = bill.surprises.map(({ meaning, requests, difference, lines }) => ({
    share: -difference / bill.paid,
    text: `${plural(requests, 'request')}: ${meaning}${linesText(lines)}`,
  }));
  const rest = restOf(bill) ?? 0;
  if (Math.abs(rest) >= minRest) {
    parts.push({ share: rest, text: 'differences below 1,024 tokens or a tenth at each request' });
  }
  parts.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return parts.map(({ share, text }) => `${signedPercent(share).padStart(8)}  ${text}`);
}

/** @param {import('./read.mjs').Accounts} accounts @param {import('../terminal.mjs').Look} look */
export function explanations(accounts, { styles }) {
  const mispredicted = sessionsIn(accounts).flatMap(({ path, account: { bill } }) => {
    const error = bill === null ? null : errorOf(bill.predicted, bill.paid);
    return bill === null || error === null || Math.abs(error) <= largeError ? [] : [{ path, bill, error }];
  });
  if (mispredicted.length === 0) return '';
  const paragraphs = mispredicted.map(({ path, bill, error }) =>
    [`${printable(path)}: ${signedPercent(error)}`, ...reasonsOf(bill).map((reason) => `  ${reason}`)].join('\n'),
  );
  return `${styles.bold('Why predictions are off by more than 2 %')}\n${paragraphs.join('\n')}\n\n`;
}
