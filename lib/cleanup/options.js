// @ts-check
'use strict';

const { checkOptions, choicesOf, optional, readArray, readChoice, readOptions } = require('../arguments.js');
const { isRevoked, outOfRange, quoted, wrongType } = require('../errors.js');
const { MAX_VALUES, Stamp } = require('../messages/stamp.js');
const native = require('../native.js');
const { util } = require('../node-modules.js');
const { once } = require('../once.js');
const { OPTIONS, PRESETS } = require('../option-names.js');
const { isPlainData } = require('../plain-data.js');
const { ruleNameOf, takenOnce } = require('./policy-spec.js');

/**
 * Reads the options that say which rules apply to a conversation, for the cleanup functions and for views.
 * @typedef {import('./policy-spec.js').RuleSpec} RuleSpec
 * @typedef {readonly (readonly [name: string, isOnByDefault: boolean])[]} Presets the built-in rules
 */

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
  if (custom.some((rule) => ruleNameOf(rule) === 'orphans'))
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

/** @param {Record<string, unknown> | undefined} options @param {import('./policy-spec.js').UnknownAge} byDefault */
function unknownAgeFrom(options, byDefault) {
  const choices = /** @type {const} */ (['keep', 'old']);
  return optional(readChoice, 'options.unknownAge', options?.unknownAge, choices) ?? byDefault;
}

/** @param {unknown} value @returns {import('./policy-spec.js').PolicySpec['orphans']} */
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

/** Caches the checked options of the last call: applications pass equal options each time, often as a new object. @template R */
class CachedOptions {
  #readAndCheck;
  /** Stamp of the last options; null if a getter or a proxy may return other values. @type {InstanceType<typeof Stamp> | null} */
  #stamp = null;
  /** What was read from them. @type {R | undefined} */ #result;

  /** @param {(options: unknown) => R} readAndCheck reads all options but `now` */
  constructor(readAndCheck) {
    this.#readAndCheck = readAndCheck;
  }

  /** @param {unknown} options @returns {R} */
  read(options) {
    if (isRevoked(/** @type {any} */ (options)) || Object.getPrototypeOf(options ?? {}) !== Object.prototype)
      return this.#readAndCheck(options);
    const { now: _, ...others } = /** @type {Record<string, unknown>} */ (options ?? {});
    if (this.#stamp?.isUnchanged(others) === true) return /** @type {R} */ (this.#result);
    const result = this.#readAndCheck(others);
    this.#stamp = isCacheable(others) ? Stamp.of(others) : null;
    this.#result = result;
    return result;
  }
}

/** True for plain data within a stamp's size. Getters and proxies may return other values, and cycles have no end. @param {unknown} options */
function isCacheable(options) {
  const unchecked = [options];
  for (let count = 0; unchecked.length > 0; count++) {
    if (count > MAX_VALUES) return false;
    const value = unchecked.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (util.types.isProxy(value) || !(Array.isArray(value) || isPlainData(value))) return false;
    for (const child of Object.values(value)) unchecked.push(child);
  }
  return true;
}

module.exports = {
  CachedOptions,
  customRules,
  namesOf,
  orphansFrom,
  placeholderLanguageFrom,
  presetsOf,
  rulesFrom,
  unknownAgeFrom,
};
