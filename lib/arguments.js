// @ts-check
'use strict';

const { invalidArgument, isRevoked, isThenable, outOfRange, quoted, wrongType } = require('./errors.js');
const { withSafeMessage } = require('./errors.js');
const { MAX_LIST_LENGTH } = require('./lists.js');
const native = require('./native.js');
const { once } = require('./once.js');

/** Checks the arguments and options of public functions. Errors name the argument and what was expected, never show its value. */

/** @param {unknown} messages @throws TypeError unless it is an array */
const checkMessages = (messages) => void readArray('messages', messages);

/** Throws for a list that is too long. @param {string} name @param {readonly unknown[]} array @param {number} [maxLength] */
function checkLength(name, { length }, maxLength = MAX_LIST_LENGTH) {
  if (length > maxLength) throw outOfRange(name, `an array of at most ${maxLength} elements`, `one of ${length}`);
}

/** Throws for an array that can't be changed, even if nothing changes. @param {readonly unknown[]} messages @param {'replace' | 'remove'} change */
function checkWritable(messages, change) {
  const [isRefused, actual] =
    change === 'remove' ? [Object.isSealed, 'a sealed or frozen one'] : [Object.isFrozen, 'a frozen one'];
  if (!isRefused(messages)) return;
  throw invalidArgument(`messages: expected an array that can be changed, got ${actual}; pass a copy ([...messages])`);
}

/** Throws for an unknown name: a typing error would silently turn an option off. @param {unknown} options @param {readonly string[]} names @param {string} [label] */
const checkOptions = (options, names, label = 'options') => optional(readOptions, label, options, names);

/** Reads required options. @param {string} label @param {unknown} options @param {readonly string[]} names @param {string} [expected] */
function readOptions(label, options, names, expected) {
  const given = readObject(label, options, expected);
  // An unknown option is an error whatever its value, including undefined.
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown === undefined) return given;
  throw Array.isArray(given) ? wrongType(label, expected ?? 'an object', given) : unknownOption(label, unknown, names);
}

/** @param {string} label @param {string} name @param {readonly string[]} names */
function unknownOption(label, name, names) {
  const isName = /^[\w.-]{1,40}$/.test(name);
  const nearest = isName ? nearestName(name, names) : undefined;
  const called = isName ? `\`${name}\`` : `with a name of ${name.length} units`;
  const advice = nearest === undefined ? `known: ${names.join(', ')}` : `did you mean \`${nearest}\`?`;
  return withSafeMessage(invalidArgument(`${label}: unknown option ${called}; ${advice}`));
}

/** @param {unknown} value @returns false for `null` and `undefined`, which mean "not given" everywhere */
const isGiven = (value) => value !== undefined && value !== null;

/**
 * Reads an option unless it isn't given.
 * @template T @template {unknown[]} L @param {(name: string, value: unknown, ...limits: L) => T} read @param {string} name @param {unknown} value @param {L} limits
 */
const optional = (read, name, value, ...limits) => (isGiven(value) ? read(name, value, ...limits) : undefined);

/** Makes a `read…` function for a type. @param {string} type by `typeof` @returns {(name: string, value: any, expected?: string) => any} */
const readerOf =
  (type) =>
  (name, value, expected = `a ${type}`) => {
    if (typeof value !== type) throw wrongType(name, expected, value);
    return value;
  };
/** @type {(name: string, value: unknown, expected?: string) => string} */ const readText = readerOf('string');
/** @type {(name: string, value: unknown) => boolean} */ const readFlag = readerOf('boolean');
/** @type {(name: string, value: unknown) => (...values: any[]) => any} */ const readFunction = readerOf('function');

/** @param {string} name @param {unknown} value */
function readName(name, value) {
  const text = readText(name, value);
  if (text === '') throw outOfRange(name, 'a string that is not empty', 'an empty one');
  return text;
}

/** @param {string} name @param {unknown} value @param {string} [expected] @returns {Record<string, any>} */
function readObject(name, value, expected = 'an object') {
  const isObject = typeof value === 'object' && value !== null && !isRevoked(value);
  // A promise has none of the option names, so every option would count as not given.
  if (!isObject || isThenable(value)) throw wrongType(name, expected, value);
  return value;
}

/** @param {string} name @param {unknown} value @param {string} [expected] @returns {any[]} */
function readArray(name, value, expected = 'an array') {
  if (isRevoked(/** @type {any} */ (value)) || !Array.isArray(value)) throw wrongType(name, expected, value);
  checkLength(name, value);
  return value;
}

/** @param {string} name @param {unknown} value @returns {string[]} */
function readTexts(name, value) {
  const texts = readArray(name, value, 'an array of strings');
  return Array.from(texts, (text, index) => readText(`${name}[${index}]`, text));
}

/** @template {string} Choice @param {string} name @param {unknown} value @param {readonly Choice[]} choices @returns {Choice} */
function readChoice(name, value, choices) {
  // `'a', 'b' or 'c'`, as in the addon's errors.
  const expected = `'${choices.join("', '")}'`.replace(/, ('[^']*')$/, ' or $1');
  const text = readText(name, value, expected);
  const known = choices.find((choice) => choice === text);
  if (known === undefined) throw outOfRange(name, expected, quoted(text));
  return known;
}

/** @param {string} name @param {unknown} value @param {(value: number) => boolean} isValid @param {string} expected @param {string} [type] what errors call a number */
function readNumber(name, value, isValid, expected, type = 'a number') {
  if (typeof value !== 'number') throw wrongType(name, type, value);
  if (!isValid(value)) throw outOfRange(name, expected, String(value));
  return value;
}

/** @param {string} name @param {unknown} value @returns {number} not negative, finite */
const readAmount = (name, value) =>
  readNumber(name, value, (amount) => amount >= 0 && amount < Infinity, 'a finite number that is not negative');

/** @param {string} name @param {unknown} value @param {number} min @param {number} max @returns {number} */
function readInteger(name, value, min, max) {
  const isInRange = (/** @type {number} */ number) => Number.isInteger(number) && number >= min && number <= max;
  return readNumber(name, value, isInRange, `an integer from ${min} to ${max}`);
}

/** @param {string} name @param {unknown} value @returns {number} */
function readCount(name, value) {
  const expected = 'a non-negative safe integer';
  return readNumber(name, value, (count) => Number.isSafeInteger(count) && count >= 0, expected, expected);
}

/** @param {string} name @param {unknown} value @returns {number} ms since the epoch */
const readTime = (name, value) =>
  readNumber(name, value, Number.isFinite, 'a finite number of milliseconds', 'a number of milliseconds');

/** Not `instanceof`: a signal may come from another realm or library. @param {string} name @param {unknown} value @returns {AbortSignal} */
function readSignal(name, value) {
  const expected = 'an AbortSignal';
  const { aborted, addEventListener, removeEventListener } = readObject(name, value, expected);
  const hasMethods = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  if (typeof aborted !== 'boolean' || !hasMethods) throw wrongType(name, expected, value);
  return /** @type {AbortSignal} */ (value);
}

/** @typedef {'zh' | 'en'} Language */

/** @param {string} name @param {unknown} value @returns {Language} */
const readLanguage = (name, value) => /** @type {Language} */ (readChoice(name, value, choicesOf('language')));

const optionChoices = once(() => native.optionChoices());
/** The valid values of an option; the first one is the default. @param {keyof import('../binding.js').OptionChoices} option */
const choicesOf = (option) => optionChoices()[option];

/** Between these two numbers, a time is taken for seconds. */
const secondsRange = once(() => /** @type {[number, number]} */ (native.nowInSeconds()));

/** The option `now`, by default the current time. @param {Record<string, unknown> | undefined} options @returns {number} ms since the epoch */
function nowFrom(options) {
  const now = optional(readTime, 'options.now', options?.now);
  if (now === undefined) return Date.now();
  const [start, end] = secondsRange();
  if (now < start || now >= end) return now;
  throw outOfRange('options.now', 'milliseconds since 1970', `${now}, which are seconds`);
}

/** The name that was probably meant; undefined if all names differ too much. @param {string} given a misspelt name @param {readonly string[]} names */
function nearestName(given, names) {
  const maxEdits = given.length < 4 ? 1 : Math.max(2, Math.floor(given.length / 3));
  const edits = names.map((name) => editsBetween(given.toLowerCase(), name.toLowerCase()));
  const fewestEdits = Math.min(...edits);
  return fewestEdits <= maxEdits ? names[edits.indexOf(fewestEdits)] : undefined;
}

/** Levenshtein distance. @param {string} one @param {string} other */
function editsBetween(one, other) {
  /** For each beginning of `other`, its distance to the units of `one` so far. @type {any[]} */
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let line = 1; line <= one.length; line++) {
    /** @type {any[]} */ const next = [line];
    for (let column = 1; column <= other.length; column++) {
      const replaced = row[column - 1] + (one[line - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[column] + 1, next[column - 1] + 1));
    }
    row = next;
  }
  return row[other.length];
}

module.exports = {
  checkLength,
  checkMessages,
  checkOptions,
  checkWritable,
  choicesOf,
  isGiven,
  nowFrom,
  optional,
  readAmount,
  readArray,
  readChoice,
  readCount,
  readFlag,
  readFunction,
  readInteger,
  readLanguage,
  readName,
  readNumber,
  readObject,
  readOptions,
  readSignal,
  readText,
  readTexts,
  readTime,
};
