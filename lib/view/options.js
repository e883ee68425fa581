// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { namedOptions, takenOnce, valueOnce } = require('../cleanup/policy-spec.js');
const { presetsOf } = require('../cleanup/presets.js');
const { forcedFrom } = require('../messages/choice.js');
const { orphansFrom, rulesFrom, unknownAgeFrom } = require('../cleanup/functions.js');

/** What is one value. */
const VALUES = [
  'orphans',
  'unknownAge',
  'placeholderLanguage',
  'dialect',
  'tools',
  'maxExtraCost',
  'budgetTokens',
  'expectedRequests',
];
const PRICES = ['preset', 'read', 'write', 'ttlMs', 'minTokens', 'blockTokens'];

/**
 * A view's options as plain data, each read once: an exported view holds them.
 * @param {unknown} options
 * @returns {Record<string, unknown>}
 */
function plainOptions(options) {
  const given = checkOptions(options) ?? {};
  /** @type {Record<string, unknown>} */
  const plain = {};
  for (const name of VALUES) set(plain, name, valueOnce(given[name]));
  for (const [name] of presetsOf('inView')) {
    const value = given[name];
    set(plain, name, typeof value === 'object' ? namedOptions(takenOnce(value, `options.${name}`)) : value);
  }
  const { price, rules } = given;
  const isObject = typeof price === 'object' && price !== null;
  set(plain, 'price', isObject ? pricesOnce(/** @type {any} */ (price)) : price);
  set(plain, 'rules', rules);
  return plain;
}

/** @param {Record<string, unknown>} plain @param {string} name @param {unknown} value */
function set(plain, name, value) {
  if (value !== undefined && value !== null) plain[name] = value;
}

/** @param {Record<string, unknown>} price */
function pricesOnce(price) {
  /** @type {Record<string, unknown>} */
  const prices = {};
  for (const name of PRICES) set(prices, name, valueOnce(price[name]));
  return prices;
}

/**
 * What the rules do in a view. Made for any agent's tools, `tools` narrows it to one's.
 * @param {Record<string, unknown>} plain
 * @returns {import('../cleanup/policy-spec.js').PolicySpec}
 */
function viewSpec(plain) {
  const { placeholderLanguage, tools } = plain;
  const rules = rulesFrom(plain, presetsOf('inView'));
  // Plain from here on: an exported view has them.
  if (plain.rules !== undefined)
    plain.rules = rules.filter(({ preset }) => preset === undefined).map((rule) => namedOptions(rule.options));
  const orphans = orphansFrom(plain.orphans ?? 'answer');
  const unknownAge = unknownAgeFrom(plain, 'keep');
  const dialect = forcedFrom(plain);
  return { purpose: 'view', orphans, unknownAge, rules, options: { placeholderLanguage, tools }, dialect };
}

/**
 * What `prepare` needs beside.
 * @param {Record<string, unknown> | undefined} given
 */
function compressionFrom(given) {
  const compression = given?.compression ?? null;
  const whenCold = given?.compressWhenCold ?? null;
  if (compression !== null && typeof compression !== 'object') {
    throw wrongType('options.compression', 'an object with config and llmClient', compression);
  }
  if (whenCold !== null && typeof whenCold !== 'number') {
    throw wrongType('options.compressWhenCold', 'a share of the window', whenCold);
  }
  if (whenCold !== null && !(whenCold > 0 && whenCold <= 1)) {
    throw outOfRange('options.compressWhenCold', 'a share of the window, above 0 and at most 1', String(whenCold));
  }
  return { compression: /** @type {Record<string, any> | null} */ (compression), whenCold };
}

module.exports = { compressionFrom, plainOptions, viewSpec };
