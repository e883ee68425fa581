// @ts-check
/** Explains prediction errors by requests whose cost the file does not predict. */
import { printable } from '../printable.mjs';
import { firstOf, plural } from '../wording.mjs';
import { percent } from './amounts.mjs';
import { errorOf, listed, restOf } from './figures.mjs';

/** Smaller errors need no explanation. */
const largeError = 0.02;
const minRest = 0.005;
const maxLines = 5;

/** @param {readonly number[]} lines @returns {string} empty if the format has no line numbers */
function placesOf(lines) {
  const known = lines.filter((line) => line > 0);
  if (known.length === 0) return '';
  return ` (line${known.length === 1 ? '' : 's'} ${firstOf(known, maxLines)})`;
}

/** @param {import('./read.mjs').Bill} bill @returns {string[]} parts of the error, largest first */
function reasonsOf(bill) {
  const parts = bill.surprises.map(({ meaning, requests, difference, lines }) => ({
    share: -difference / bill.paid,
    text: `${plural(requests, 'request')}: ${meaning}${placesOf(lines)}`,
  }));
  const rest = restOf(bill) ?? 0;
  if (Math.abs(rest) >= minRest) {
    parts.push({ share: rest, text: 'differences below 1,024 tokens or a tenth at each request' });
  }
  parts.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  return parts.map(({ share, text }) => `${percent(share).padStart(8)}  ${text}`);
}

/** @param {import('./read.mjs').Accounts} accounts @param {import('../terminal.mjs').Look} look */
export function explanations(accounts, { styles }) {
  const off = listed(accounts).flatMap(({ path, account: { bill } }) => {
    const error = bill === null ? null : errorOf(bill.predicted, bill.paid);
    return bill === null || error === null || Math.abs(error) <= largeError ? [] : [{ path, bill, error }];
  });
  if (off.length === 0) return '';
  const each = off.map(({ path, bill, error }) =>
    [`${printable(path)}: ${percent(error)}`, ...reasonsOf(bill).map((reason) => `  ${reason}`)].join('\n'),
  );
  return `${styles.bold('Why predictions are off by more than 2 %')}\n${each.join('\n')}\n\n`;
}
