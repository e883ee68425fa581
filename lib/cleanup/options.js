// @ts-check
'use strict';

const { checkLength, checkOptions, choicesOf } = require('../arguments.js');
const { optional, readArray, readChoice, readOptions } = require('../arguments.js');
const { isRevoked, outOfRange, quoted, wrongType } = require('../errors.js');
const { MAX_VALUES, Stamp } = require('../messages/stamp.js');
const native = require('../native.js');
const { util } = require('../node-modules.js');
const { once } = require('../once.js');
const { OPTIONS, PRESETS } = require('../option-names.js');
const { isObject, isPlainData } = require('../plain-data.js');

/**
 * Reads the options that say which rules apply to a conversation, for the cleanup functions and for views. The result is a policy as values that can be
 * compared: two calls with the same options must find the same engine.
 * @typedef {'keep' | 'old' | 'oldWhereNoneIsKnown'} UnknownAge
 * @typedef {{ preset?: string, label: string, options: any, isDefault?: boolean }} RuleSpec `options`: see `takenOnce`; `isDefault`: on by default
 *
 * `repeated`: results are read even if no rule covers them.
 * @typedef {{ placeholderLanguage: unknown, tools?: unknown, outdatedBy?: unknown, keepTools?: unknown, dropTools?: unknown, ages?: unknown,
 *   repeated?: boolean, price?: unknown }} CommonOptions
 * @typedef {object} PolicySpec
 * @property {'dropIn' | 'ownRules' | 'prepare' | 'view'} purpose the calling function
 * @property {'keep' | 'remove' | 'answer'} orphans
 * @property {UnknownAge} unknownAge
 * @property {RuleSpec[]} rules
 * @property {CommonOptions} [options] options of all presets
 * @property {import('../messages/choice.js').Forced} [dialect] dialect in which messages are read
 * @typedef {readonly (readonly [name: string, isOnByDefault: boolean])[]} Presets the built-in rules
 */

/** The core's option names, in the order in which `takenOnce` reads them; a test compares them. */
const RULE_OPTIONS = [...OPTIONS.rule, 'placeholderLanguage', 'terminalTools', 'readTools', 'searchTools'];

/**
 * The options of a rule that are given, each read once, because a getter may return another value on a second read. What isn't an object is returned as
 * it is: the addon rejects it.
 * @param {unknown} options @param {string} label name of the options in errors @returns {unknown}
 */
function takenOnce(options, label) {
  if (!isObject(options)) return options;
  // A loop over computed names would take ten times as long.
  const { name, tools, ignoreCase, contentMarkers, groupBy, pathKeys, projectRoot, caseInsensitivePaths } = options;
  const { recentAmong, keepRecent, maxAgeMs, errors, countErrors, placeholder } = options;
  const { placeholderLanguage, terminalTools, readTools, searchTools } = options;
  const values = [
    ...[name, tools, ignoreCase, contentMarkers, groupBy, pathKeys, projectRoot, caseInsensitivePaths, recentAmong],
    ...[keepRecent, maxAgeMs, errors, countErrors, placeholder, placeholderLanguage],
    ...[terminalTools, readTools, searchTools],
  ];
  /** @type {Record<string, unknown>} */ const taken = {};
  RULE_OPTIONS.forEach((option, at) => {
    const value = values[at];
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) taken[option] = copiedList(`${label}.${option}`, value);
    else if (option !== 'groupBy' || !isObject(value)) taken[option] = copiedValue(value);
    else taken[option] = { argument: copiedValue(readOptions(`${label}.groupBy`, value, OPTIONS.groupBy).argument) };
  });
  return taken;
}

/** A copy of an option's list. A list of millions is rejected before it is copied. @param {string} label @param {readonly unknown[]} list */
function copiedList(label, list) {
  checkLength(label, list, native.longestOptionList());
  return Array.from({ length: list.length }, (_, at) => copiedValue(list[at]));
}

/** Objects are never valid here, so they are replaced by `{}` without being read; the addon rejects that. @param {unknown} value */
const copiedValue = (value) => (isObject(value) ? {} : value);
/** True if a rule compares paths, which may be relative to the current directory. @param {PolicySpec} spec */
const hasPaths = ({ rules }) => rules.some(({ preset }) => preset === undefined || preset === 'fileReads');

/** True if two policies, or two values in them, are equal. @param {any} a @param {any} b @returns {boolean} */
function isSamePolicy(a, b) {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSamePolicy(a[key], b[key]));
}

const presetDefaults = once(() => native.presetDefaults());

/** Presets in the order of application. @param {'inPrepare' | 'inView'} where @returns {Presets} */
const presetsOf = (where) => presetDefaults().map((preset) => [preset.name, preset[where]]);

/** The option names of a preset: as an option of `prepareMessages`, and as a drop-in function. @param {string} preset */
const namesOf = (preset) => /** @type {{ within: string[], alone: string[] }} */ (PRESETS[preset]);

/** The rules that are on. @param {Record<string, unknown> | undefined} options @param {Presets} presets the built-in ones @returns {RuleSpec[]} */
function rulesFrom(options, presets) {
  /** @type {RuleSpec[]} */ const rules = [];
  for (const [preset, isOnByDefault] of presets) {
    const value = options?.[preset] ?? isOnByDefault;
    const label = `options.${preset}`;
    if (typeof value !== 'boolean' && typeof value !== 'object')
      throw wrongType(label, 'a boolean or an object', value);
    if (value === false) continue;
    if (value !== true) checkOptions(value, namesOf(preset).within, label);
    rules.push({ preset, label, options: value === true ? undefined : takenOnce(value, label) });
  }
  const custom = customRules(options?.rules ?? [], 'options.rules');
  if (custom.some(({ options }) => options.name === 'orphans'))
    throw outOfRange('options.rules', 'names other than the built-in ones', "'orphans'");
  return [...rules, ...custom];
}

/** Reads an application's rules. @param {unknown} rules @param {string} label @returns {RuleSpec[]} */
function customRules(rules, label) {
  return Array.from(readArray(label, rules, 'an array of rules'), (value, index) => {
    const rule = readOptions(`${label}[${index}]`, value, OPTIONS.rule, 'a rule object');
    return { label: `${label}[${index}]`, options: takenOnce(rule, `${label}[${index}]`) };
  });
}

/** @param {Record<string, unknown> | undefined} options @param {UnknownAge} byDefault */
function unknownAgeFrom(options, byDefault) {
  const choices = /** @type {const} */ (['keep', 'old']);
  return optional(readChoice, 'options.unknownAge', options?.unknownAge, choices) ?? byDefault;
}

/** @param {unknown} value @returns {PolicySpec['orphans']} */
function orphansFrom(value) {
  if (typeof value === 'boolean') return value ? 'remove' : 'keep';
  if (typeof value !== 'string') throw wrongType('options.orphans', "a boolean, 'remove' or 'answer'", value);
  if (value === 'remove' || value === 'answer') return value;
  throw outOfRange('options.orphans', "true, false, 'remove' or 'answer'", quoted(value));
}

/** By default `'auto'`: the user's language. @param {Record<string, unknown> | undefined} options @returns {'auto' | import('../arguments.js').Language} */
function placeholderLanguageFrom(options) {
  const choices = /** @type {readonly ('auto' | 'zh' | 'en')[]} */ (['auto', ...choicesOf('language')]);
  return optional(readChoice, 'options.placeholderLanguage', options?.placeholderLanguage, choices) ?? 'auto';
}

/**
 * `readAndCheck`, which reads all options but `now`, with its last result kept: applications pass equal options each time, often as a new object.
 * @template R @param {(options: unknown) => R} readAndCheck @returns {(options: unknown) => R}
 */
function cachedOptions(readAndCheck) {
  /** Stamp of the last options; null if a getter or a proxy may return other values. @type {InstanceType<typeof Stamp> | null} */
  let stamp = null;
  /** @type {R | undefined} */ let result;
  return (options) => {
    if (isRevoked(/** @type {any} */ (options)) || Object.getPrototypeOf(options ?? {}) !== Object.prototype)
      return readAndCheck(options);
    const { now: _, ...others } = /** @type {Record<string, unknown>} */ (options ?? {});
    if (stamp?.isUnchanged(others) === true) return /** @type {R} */ (result);
    result = readAndCheck(others);
    stamp = isCacheable(others) ? Stamp.of(others) : null;
    return result;
  };
}

/** True for plain data within a stamp's size. Getters and proxies may return other values, and cycles have no end. @param {unknown} options */
function isCacheable(options) {
  const unchecked = [options];
  for (let count = 0; unchecked.length > 0; count++) {
    if (count > MAX_VALUES) return false;
    const value = unchecked.pop();
    if (!isObject(value)) continue;
    if (util.types.isProxy(value) || !(Array.isArray(value) || isPlainData(value))) return false;
    for (const child of Object.values(value)) unchecked.push(child);
  }
  return true;
}

module.exports = {
  cachedOptions,
  copiedList,
  copiedValue,
  customRules,
  hasPaths,
  isSamePolicy,
  namesOf,
  orphansFrom,
  placeholderLanguageFrom,
  presetsOf,
  rulesFrom,
  takenOnce,
  unknownAgeFrom,
};
