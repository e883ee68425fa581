// @ts-check
/** Locates a JSON syntax error by line and column, which `JSON.parse` of some Node.js versions does not report. */

/** @typedef {{ line: number, column: number, expected: string, found: string }} JsonError from 1, in UTF-16 units */
/** @typedef {keyof typeof expectedIn} State of the scan */

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wordPattern = /true|false|null/y;
const spacePattern = /[ \t\r\n]*/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** What an error message says was expected. */
const expectedIn = {
  value: 'a JSON value',
  firstItem: 'a JSON value or "]"',
  firstKey: 'a property name in double quotes or "}"',
  key: 'a property name in double quotes',
  colon: '":"',
  afterItem: '"," or "]"',
  afterProperty: '"," or "}"',
  end: 'nothing more after the JSON value',
};

const opening = /** @type {const} */ ({ '{': 'firstKey', '[': 'firstItem' });
/** The state after a bracket, colon or comma. @type {Partial<Record<State, Readonly<Record<string, State>>>>} */
const punctuation = {
  value: opening,
  firstItem: opening,
  colon: { ':': 'value' },
  afterItem: { ',': 'value' },
  afterProperty: { ',': 'key' },
};
/** The bracket that may come in a state to close the innermost value. @type {Partial<Record<State, string>>} */
const closing = { firstItem: ']', afterItem: ']', firstKey: '}', afterProperty: '}' };

/** The match's end, or -1. @param {RegExp} pattern sticky @param {string} text @param {number} offset */
function matchAt(pattern, text, offset) {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** @param {string} text @param {number} offset @param {string} expected @returns {JsonError} */
function errorAt(text, offset, expected) {
  const before = text.slice(0, offset);
  const character = text.codePointAt(offset);
  const found = character === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(character));
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n'), expected, found };
}

/** The string's end. @param {string} text @param {number} start of the opening quote @returns {number | JsonError} */
function scanString(text, start) {
  for (let offset = start + 1; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x22) return offset + 1;
    if (unit < 0x20) return errorAt(text, offset, 'a string without raw line breaks or control characters');
    if (unit !== 0x5c) continue;
    const end = matchAt(escapePattern, text, offset);
    if (end < 0) return errorAt(text, offset, 'a valid escape sequence');
    offset = end - 1;
  }
  return errorAt(text, text.length, 'the closing quote of a string');
}

/** The end of a key or value. @param {State} state @param {string} text @param {number} offset */
function scanScalar(state, text, offset) {
  const isValue = state === 'value' || state === 'firstItem';
  if ((isValue || state === 'key' || state === 'firstKey') && text[offset] === '"') return scanString(text, offset);
  const end = isValue ? Math.max(matchAt(numberPattern, text, offset), matchAt(wordPattern, text, offset)) : -1;
  return end < 0 ? errorAt(text, offset, expectedIn[state]) : end;
}

/** @param {string} text @returns {JsonError | null} null when the text is JSON */
export function findJsonError(text) {
  /** For each open bracket, the state after a value in it; nesting of 100,000 allows no recursion. @type {State[]} */
  const open = [];
  const afterValue = () => open.at(-1) ?? 'end';
  const afterSpace = (/** @type {number} */ start) => matchAt(spacePattern, text, start);
  let state = /** @type {State} */ ('value');
  for (let offset = afterSpace(0); offset < text.length; offset = afterSpace(offset)) {
    const character = text.charAt(offset);
    const next = punctuation[state]?.[character];
    if (character === closing[state]) {
      open.pop();
      offset += 1;
      state = afterValue();
    } else if (next !== undefined) {
      if (character in opening) open.push(character === '{' ? 'afterProperty' : 'afterItem');
      offset += 1;
      state = next;
    } else {
      const end = scanScalar(state, text, offset);
      if (typeof end !== 'number') return end;
      offset = end;
      state = state === 'key' || state === 'firstKey' ? 'colon' : afterValue();
    }
  }
  return state === 'end' ? null : errorAt(text, text.length, expectedIn[state]);
}
