// @ts-check
/** The best JavaScript implementation that we know for outputs and tool results: no splitting, no copies, early exits. */

const MAX_LIMIT = 30_000;

/** @param {string} content */
function trimEmptyLines(content) {
  const first = content.search(/\S/);
  if (first === -1) return '';
  let last = content.length - 1;
  while (content.charCodeAt(last) <= 0x20 || content.charAt(last).trim() === '') last--;
  const start = content.lastIndexOf('\n', first) + 1;
  const end = content.indexOf('\n', last);
  return content.slice(start, end === -1 ? content.length : end);
}

/** @param {string} content @param {number} [limit] */
export function truncateOutput(content, limit = MAX_LIMIT) {
  const trimmed = trimEmptyLines(content);
  if (trimmed.length <= limit) return trimmed;
  const before = trimmed.charCodeAt(limit - 1);
  const after = trimmed.charCodeAt(limit);
  const parts = before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
  const cut = parts ? limit - 1 : limit;
  let lines = 1;
  for (let at = trimmed.indexOf('\n', cut); at !== -1; at = trimmed.indexOf('\n', at + 1)) lines++;
  return `${trimmed.slice(0, cut)}\n\n... [${lines} lines truncated] ...`;
}

const LARGE_DATA_FIELDS = new Set(['imageBase64', 'screenshotData', 'pdfImages', 'audioData', 'videoData']);
/** By UTF-16 unit: 1 for letters and digits, 2 for `+` and `/`, 4 for `-` and `_`; 0 ends a run. */
const ALPHABET = new Uint8Array(65_536);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  ALPHABET[character.charCodeAt(0)] = 1;
}
for (const character of '+/') ALPHABET[character.charCodeAt(0)] = 2;
for (const character of '-_') ALPHABET[character.charCodeAt(0)] = 4;

/** @param {string} text */
function isLargeData(text) {
  if (text.length <= 10_000) return false;
  if (text.startsWith('data:')) return true;
  const end = text.endsWith('==') ? text.length - 2 : text.endsWith('=') ? text.length - 1 : text.length;
  let seen = 0;
  for (let at = 0; at < end; at++) {
    const kind = ALPHABET[text.charCodeAt(at)];
    if (kind === 0) return false;
    seen |= kind;
  }
  return (seen & 6) !== 6;
}

const kilobytes = (/** @type {number} */ units) => `${(units / 1024).toFixed(1)}KB`;

/** @param {any} value @returns {any} the same value if nothing in it changes */
function sanitizeValue(value) {
  if (typeof value === 'string')
    return isLargeData(value) ? `[LARGE_DATA_FILTERED: ${kilobytes(value.length)}]` : value;
  if (typeof value !== 'object' || value === null) return value;
  let copy = value;
  for (const key in value) {
    const inner = value[key];
    const known = typeof inner === 'string' && inner.length > 100 && LARGE_DATA_FIELDS.has(key);
    const next = known ? `[BINARY_DATA_FILTERED: ${kilobytes(inner.length)}]` : sanitizeValue(inner);
    if (next === inner) continue;
    if (copy === value) copy = Array.isArray(value) ? [...value] : { ...value };
    copy[key] = next;
  }
  return copy;
}

/** @param {any} result */
export const sanitizeToolResult = (result) => sanitizeValue(result);

/** @param {string} content */
export function sanitizeToolResultsJson(content) {
  try {
    const results = JSON.parse(content);
    const sanitized = sanitizeValue(results);
    return sanitized === results ? content : JSON.stringify(sanitized);
  } catch {
    return content;
  }
}
