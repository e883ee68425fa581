// @ts-check
'use strict';

const { checkLength, readOptions } = require('../arguments.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');

/**
 * The policy that a call requests, as values that can be compared: two calls with the same options must find the same engine.
 * @typedef {'keep' | 'old' | 'oldWhereNoneIsKnown'} UnknownAge
 * @typedef {readonly unknown[]} OptionValues values in the order of `RULE_OPTIONS`
 * @typedef {{ preset?: string, label: string, options: OptionValues | unknown, isDefault?: boolean }} RuleSpec `isDefault`: on by default
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
 * Reads each option once, in the order of `RULE_OPTIONS`: a getter may return another value on a second read. Returns what the addon rejects as it is.
 * @param {unknown} options @param {string} label name of the options in errors @returns {OptionValues | unknown}
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
  return values.map((value, at) => {
    const name = RULE_OPTIONS[at];
    if (Array.isArray(value)) return copiedList(`${label}.${name}`, value);
    if (name !== 'groupBy' || value === null || typeof value !== 'object') return copiedValue(value);
    return { argument: copiedValue(readOptions(`${label}.groupBy`, value, OPTIONS.groupBy).argument) };
  });
}

/** A copy of an option's list. A list of millions is rejected before it is copied. @param {string} label @param {readonly unknown[]} list */
function copiedList(label, list) {
  checkLength(label, list, native.longestOptionList());
  return Array.from({ length: list.length }, (_, at) => copiedValue(list[at]));
}

/** Objects are never valid here, so they are replaced by `{}` without being read; the addon rejects that. @param {unknown} value */
const copiedValue = (value) => (value !== null && typeof value === 'object' ? {} : value);
/** The option `name` of a rule. @param {RuleSpec} rule @returns {unknown} */
const ruleNameOf = ({ options }) => (Array.isArray(options) ? options[RULE_OPTIONS.indexOf('name')] : undefined);

/** The options as an object without those that aren't given. @param {OptionValues | unknown} values as returned by {@link takenOnce} */
function namedOptions(values) {
  if (!Array.isArray(values)) return values;
  const entries = RULE_OPTIONS.map((name, at) => [name, values[at]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

/** True if a rule compares paths, which may be relative to the current directory. @param {PolicySpec} spec */
const hasPaths = ({ rules }) => rules.some(({ preset }) => preset === undefined || preset === 'fileReads');

/** True if two policies, or two values in them, are equal. @param {any} a @param {any} b @returns {boolean} */
function isSamePolicy(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isSamePolicy(a[key], b[key]));
}

module.exports = { copiedList, copiedValue, hasPaths, isSamePolicy, namedOptions, ruleNameOf, takenOnce };
