// @ts-check
/** Locates a JSON syntax error by line and column, which `JSON.parse` of some Node.js versions does not report. */

/**
 * @typedef {{ line: number, column: number, expected: string, found: string }} JsonError `line` and `column` from 1, in
 *   UTF-16 units
 */

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wordPattern = /true|false|null/y;
const spacePattern = /[ \t\r\n]*/y;
const escapePattern = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * @param {RegExp} pattern sticky
 * @param {string} text @param {number} offset @returns {number} where the match ends, or -1
 */
function matchAt(pattern, text, offset) {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/**
 * @param {string} text @param {number} start offset of the opening quote
 * @returns {{ end: number } | { offset: number, expected: string }}
 */
function scanString(text, start) {
  let offset = start + 1;
  while (offset < text.length) {
    const unit = text.charCodeAt(offset);
    if (unit === 0x22) return { end: offset + 1 };
    if (unit < 0x20) return { offset, expected: 'a string without raw line breaks or control characters' };
    if (unit === 0x5c) {
      const end = matchAt(escapePattern, text, offset);
      if (end < 0) return { offset, expected: 'a valid escape sequence' };
      offset = end;
    } else {
      offset += 1;
    }
  }
  return { offset, expected: 'the closing quote of a string' };
}

/** @param {string} text @param {number} offset @param {string} expected @returns {JsonError} */
function errorAt(text, offset, expected) {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - (before.lastIndexOf('\n') + 1) + 1;
  const character = text.codePointAt(offset);
  const found = character === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(character));
  return { line, column, expected, found };
}

/** For each state of the scan, what an error message says was expected. */
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

/** @typedef {keyof typeof expectedIn} State */

/** For each state, the state after a bracket, colon or comma. @type {Readonly<Record<State, Readonly<Record<string, State>>>>} */
const punctuation = {
  value: { '{': 'firstKey', '[': 'firstItem' },
  firstItem: { '{': 'firstKey', '[': 'firstItem' },
  firstKey: {},
  key: {},
  colon: { ':': 'value' },
  afterItem: { ',': 'value' },
  afterProperty: { ',': 'key' },
  end: {},
};
/** States in which the innermost bracket may close. @type {readonly State[]} */
const closableStates = ['firstItem', 'firstKey', 'afterItem', 'afterProperty'];

/** @param {readonly string[]} closingBrackets @returns {State} */
function afterValue(closingBrackets) {
  if (closingBrackets.length === 0) return 'end';
  return closingBrackets.at(-1) === '}' ? 'afterProperty' : 'afterItem';
}

/**
 * @param {State} state @param {string} text @param {number} offset
 * @returns {{ end: number } | { offset: number, expected: string }}
 */
function scanScalar(state, text, offset) {
  const isKey = state === 'key' || state === 'firstKey';
  const isValue = state === 'value' || state === 'firstItem';
  if ((isKey || isValue) && text[offset] === '"') return scanString(text, offset);
  const end = isValue ? Math.max(matchAt(numberPattern, text, offset), matchAt(wordPattern, text, offset)) : -1;
  return end < 0 ? { offset, expected: expectedIn[state] } : { end };
}

/** @param {string} text @returns {JsonError | null} null when the text is JSON */
export function findJsonError(text) {
  /** @type {string[]} those still expected; no recursion, since nesting may be 100,000 deep */
  const closingBrackets = [];
  let state = /** @type {State} */ ('value');
  const afterSpace = (/** @type {number} */ start) => matchAt(spacePattern, text, start);
  for (let offset = afterSpace(0); offset < text.length; offset = afterSpace(offset)) {
    const character = text.charAt(offset);
    /** @type {State | undefined} */
    const next = punctuation[state][character];
    if (closableStates.includes(state) && character === closingBrackets.at(-1)) {
      closingBrackets.pop();
      offset += 1;
      state = afterValue(closingBrackets);
    } else if (next !== undefined) {
      if (next === 'firstKey' || next === 'firstItem') closingBrackets.push(next === 'firstKey' ? '}' : ']');
      offset += 1;
      state = next;
    } else {
      const scanned = scanScalar(state, text, offset);
      if ('offset' in scanned) return errorAt(text, scanned.offset, scanned.expected);
      offset = scanned.end;
      state = state === 'key' || state === 'firstKey' ? 'colon' : afterValue(closingBrackets);
    }
  }
  return state === 'end' ? null : errorAt(text, text.length, expectedIn[state]);
}
