// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');
const { checkOptions, optional, readArray, readObject, readText, readTexts } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { copyOfList } = require('../lists.js');
const { fieldOf, isObject, setOwn } = require('../plain-data.js');
const { copyWithReplacements, findReplacements, isWalkable } = require('./binary-values.js');

/** @typedef {{ largeDataFields?: readonly string[] }} SanitizeOptions */

/** What counts as large data, by default. */
const defaultRules = once(() => {
  const { largeDataFields, sizeThreshold, longestReference, ...bounds } = native.binaryDataRules();
  return { fields: new Set(largeDataFields), threshold: sizeThreshold, longestLink: longestReference, ...bounds };
});

/** A copy without large binary data; other branches are shared. @template {object} T @param {T} result @param {SanitizeOptions} [options] @returns {T} */
function sanitizeToolResult(result, options) {
  readObject('result', result);
  return sanitized(result, readRules(options));
}

/**
 * Like {@link sanitizeToolResult}, with the exact rules of the application's function that it replaces: `metadata` also loses every long string that
 * begins with `data:` or consists only of base64 characters, such as hexadecimal digits.
 * @template {object} T @param {T} result @param {SanitizeOptions} [options] @returns {T}
 */
function sanitizeToolResultForHistory(result, options) {
  readObject('result', result);
  const rules = readRules(options);
  const copy = sanitized(result, rules);
  const metadata = fieldOf(copy, 'metadata');
  if (!isWalkable(metadata)) return copy;
  const replacements = findReplacements(metadata, rules, { placeholderOf: native.largeDataPlaceholder });
  if (replacements.values.size > 0) setOwn(copy, 'metadata', copyWithReplacements(metadata, replacements));
  return copy;
}

/** {@link sanitizeToolResult} for each result. @template T @param {readonly T[]} results @param {SanitizeOptions} [options] @returns {T[]} */
function sanitizeToolResults(results, options) {
  readArray('results', results);
  const rules = readRules(options);
  return copyOfList(results).map((/** @type {any} */ result) => (isObject(result) ? sanitized(result, rules) : result));
}

/** The same for results as JSON. @param {string} content @param {SanitizeOptions} [options] @returns {string} */
function sanitizeToolResultsJson(content, options) {
  readText('content', content);
  const fields = readFields(options);
  return native.sanitizeResultsJson(content, fields && [...fields]) ?? content;
}

/** @template {object} T @param {T} result @param {import('./binary-values.js').Rules} rules @returns {T} */
const sanitized = (result, rules) => copyWithReplacements(result, findReplacements(result, rules));

/** @param {SanitizeOptions} [options] */
function readRules(options) {
  const fields = readFields(options);
  return fields === undefined ? defaultRules() : { ...defaultRules(), fields };
}

/** @param {unknown} options @returns {ReadonlySet<string> | undefined} undefined: the defaults */
function readFields(options) {
  const { largeDataFields } = checkOptions(options, OPTIONS.sanitize) ?? {};
  const fields = optional(readTexts, 'options.largeDataFields', largeDataFields);
  return fields && new Set(fields);
}

module.exports = {
  defaultRules,
  sanitizeToolResult,
  sanitizeToolResultForHistory,
  sanitizeToolResults,
  sanitizeToolResultsJson,
};
