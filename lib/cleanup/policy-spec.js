// @ts-check
'use strict';

const { checkLength, readOptions } = require('../arguments.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');

/**
 * The policy that a call requests, as values that can be compared: two calls with the same options must find the same engine.
 *
 * @typedef {'keep' | 'old' | 'oldWhereNoneIsKnown'} UnknownAge
 * @typedef {readonly unknown[]} OptionValues values in the order of `RULE_OPTIONS`
 * @typedef {{ preset?: string, label: string, options: OptionValues | unknown, isDefault?: boolean }} RuleSpec `isDefault`: on by default
 * @typedef {object} PolicySpec
 * @property {'dropIn' | 'ownRules' | 'prepare' | 'view'} purpose the calling function
 * @property {'keep' | 'remove' | 'answer'} orphans
 * @property {UnknownAge} unknownAge
 * @property {RuleSpec[]} rules
 * @property {{ placeholderLanguage: unknown, tools?: unknown, outdatedBy?: unknown, keepTools?: unknown, dropTools?: unknown, ages?: unknown, repeated?: boolean, price?: unknown }} [options] options of all presets
 *   `repeated`: results are read even if no rule covers them
 * @property {import('../messages/choice.js').Forced} [dialect] dialect in which messages are read
 */

/** The core's option names, in the order in which `takenOnce` reads them; a test compares them. */
const RULE_OPTIONS = Object.freeze([
  ...OPTIONS.rule,
  'placeholderLanguage',
  'terminalTools',
  'readTools',
  'searchTools',
]);

/**
 * Reads each option once. If a getter returned another value on a second read, its engine would get the key of other options, and later
 * callers with those options would get that engine.
 * @param {unknown} options
 * @param {string} label name of the options in errors
 * @returns {OptionValues | unknown} the values in the order of `RULE_OPTIONS`, or a value that the addon rejects
 */
function takenOnce(options, label) {
  if (options === null || typeof options !== 'object') return options;
  const named = /** @type {Record<string, unknown>} */ (options);
  // A loop over computed names would take ten times as long.
  const values = [
    named.name,
    named.tools,
    named.ignoreCase,
    named.contentMarkers,
    named.groupBy,
    named.pathKeys,
    named.projectRoot,
    named.caseInsensitivePaths,
    named.recentAmong,
    named.keepRecent,
    named.maxAgeMs,
    named.errors,
    named.countErrors,
    named.placeholder,
    named.placeholderLanguage,
    named.terminalTools,
    named.readTools,
    named.searchTools,
  ];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== null && typeof value === 'object') values[at] = copiedObject(value, at, label);
  }
  return values;
}

/** A copy of an option's list or object. @param {any} value @param {number} at index in `RULE_OPTIONS` @param {string} label */
function copiedObject(value, at, label) {
  const name = RULE_OPTIONS[at];
  if (Array.isArray(value)) return copiedList(`${label}.${name}`, value);
  if (name !== 'groupBy') return {};
  return { argument: copiedValue(readOptions(`${label}.groupBy`, value, OPTIONS.groupBy).argument) };
}

/**
 * A copy of a list of values. The addon also rejects longer lists, but only after a list of millions was copied and turned into a key.
 * @param {string} label @param {readonly unknown[]} list
 */
function copiedList(label, list) {
  checkLength(label, list, native.longestOptionList());
  const { length } = list;
  const values = [];
  for (let at = 0; at < length; at++) values.push(copiedValue(list[at]));
  return values;
}

/** Objects are never valid here, so they are replaced by `{}` without being read; the addon rejects that. @param {unknown} value */
function copiedValue(value) {
  return value !== null && typeof value === 'object' ? {} : value;
}

/** The option `name` of a rule. @param {RuleSpec} rule @returns {unknown} */
function ruleNameOf({ options }) {
  return Array.isArray(options) ? options[RULE_OPTIONS.indexOf('name')] : undefined;
}

/** The options as an object without those that aren't given. @param {OptionValues | unknown} values as returned by {@link takenOnce} */
function namedOptions(values) {
  if (!Array.isArray(values)) return values;
  const entries = RULE_OPTIONS.map((name, at) => [name, values[at]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** Names in `PolicySpec.options`, without the price. */
const COMMON_OPTIONS = /** @type {const} */ ([
  'placeholderLanguage',
  'tools',
  'outdatedBy',
  'keepTools',
  'dropTools',
  'ages',
  'repeated',
]);

/** True if a rule compares paths, which may be relative to the current directory. @param {PolicySpec} spec */
function hasPaths({ rules }) {
  for (let at = 0; at < rules.length; at++) {
    const preset = rules[at]?.preset;
    if (preset === undefined || preset === 'fileReads') return true;
  }
  return false;
}

/** Compares without a key. False for specs that hold objects; those are looked up by key. @param {PolicySpec} a @param {PolicySpec} b */
function isSamePolicy(a, b) {
  if (a === b) return true;
  if (a.purpose !== b.purpose || a.orphans !== b.orphans || a.unknownAge !== b.unknownAge) return false;
  if (a.dialect !== b.dialect) return false;
  for (const name of COMMON_OPTIONS) if (!areSameValues(a.options?.[name], b.options?.[name])) return false;
  if (a.options?.price !== b.options?.price) return false;
  if (a.rules.length !== b.rules.length) return false;
  for (let at = 0; at < a.rules.length; at++) {
    const [one, other] = [/** @type {RuleSpec} */ (a.rules[at]), /** @type {RuleSpec} */ (b.rules[at])];
    if (one === other) continue;
    if (one.preset !== other.preset || one.isDefault !== other.isDefault || !areSameValues(one.options, other.options))
      return false;
  }
  return true;
}

/** @param {unknown} a @param {unknown} b */
function areSameValues(a, b) {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) {
    if (a[at] !== b[at] && !areSameValues(a[at], b[at])) return false;
  }
  return true;
}

/**
 * A text that is equal for policies that decide the same. Values of a wrong type get a text that no valid value has; the addon rejects them
 * when the engine is created.
 * @param {PolicySpec} spec @param {string} cwd
 */
function policyKey(spec, cwd) {
  let key = `${spec.purpose} ${spec.orphans} ${spec.unknownAge} ${spec.dialect}`;
  for (const name of COMMON_OPTIONS) key += valueKey(spec.options?.[name]);
  key += priceKey(spec.options?.price);
  for (const { preset, options, isDefault } of spec.rules) {
    key += `|${preset ?? ''}${isDefault ? '?' : ''}${valueKey(options)}`;
  }
  return `${key}@${cwd}`;
}

/** @param {any} price */
function priceKey(price) {
  if (price === null || typeof price !== 'object') return valueKey(price);
  return `{${Object.entries(price).map(([name, value]) => `${name}:${valueKey(value)}`)}}`;
}

/** @param {any} value @returns {string} */
function valueKey(value) {
  if (value === undefined || value === null) return 'u';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return `${typeof value}:${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  return `{${'argument' in value ? `argument:${valueKey(value.argument)}` : ''}}`;
}

module.exports = { hasPaths, isSamePolicy, copiedList, namedOptions, policyKey, ruleNameOf, takenOnce, copiedValue };
