// @ts-check
/** Escapes control characters: names and texts in recorded files are untrusted. */

/** Control, bidirectional and invisible characters. */
const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach the terminal.
  /[\u0000-\u001F\u007F-\u009F\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** @type {Readonly<Record<string, string>>} */
const named = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** @param {string} character @returns {string} such as `\x1b` or `\u202e` */
function escaped(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  const digits = code.toString(16);
  if (named[character] !== undefined) return named[character];
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x1_0000 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/**
 * @param {string} text @param {string} [kept] characters that are not escaped, such as line breaks
 * @returns {string}
 */
export function printable(text, kept = '') {
  return text.replace(unsafe, (character) => (kept.includes(character) ? character : escaped(character)));
}

/** Writes the same characters as JSON escapes, so that the parsed value is unchanged. @param {string} json @returns {string} */
export function printableJson(json) {
  const unit = (/** @type {string} */ half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(unsafe, (character) => (character === '\n' ? character : character.split('').map(unit).join('')));
}
