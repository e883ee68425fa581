// @ts-check
'use strict';

const { checkOptions, choicesOf, isGiven, optional, readFlag, readInteger, readNumber } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { engineFor } = require('../cleanup/engine.js');
const { copiedList, copiedValue, takenOnce } = require('../cleanup/options.js');
const { orphansFrom, placeholderLanguageFrom, presetsOf, rulesFrom, unknownAgeFrom } = require('../cleanup/options.js');
const { forcedFrom } = require('../messages/choice.js');
const { OPTIONS, PRESETS } = require('../option-names.js');

/** Options with a primitive value. An object becomes `{}`, which the core refuses. */
const SIMPLE_OPTIONS =
  'orphans unknownAge dialect tools outdatedBy maxExtraCost budgetTokens binary repeated marks'.split(' ');
/** Options that are lists of tool patterns. */ const TOOL_LISTS = ['keepTools', 'dropTools'];
/** The kinds of results, in the core's order. */
const KINDS = /** @type {readonly import('../entry/types/view.js').ResultKind[]} */ (OPTIONS.ages);
/** Upper limit of an age in requests, above the count of requests of any conversation. */ const MAX_AGE = 1_000_000;

/** Copies a view's options to plain data, reading each once. @param {unknown} options @returns {Record<string, unknown>} */
function plainOptions(options) {
  const given = checkOptions(options, OPTIONS.view) ?? {};
  /** @type {Record<string, unknown>} */ const plain = {};
  for (const name of SIMPLE_OPTIONS) plain[name] = copiedValue(given[name]);
  for (const name of TOOL_LISTS) {
    const value = given[name];
    plain[name] = Array.isArray(value) ? copiedList(`options.${name}`, value) : copiedValue(value);
  }
  plain.ages = agesFrom(given.ages);
  plain.placeholderLanguage = placeholderLanguageFrom(given);
  for (const [name] of presetsOf('inView')) {
    const value = given[name];
    if (typeof value === 'object') checkOptions(value, PRESETS[name]?.within ?? [], `options.${name}`);
    plain[name] = typeof value === 'object' ? takenOnce(value, `options.${name}`) : value;
  }
  plain.price = pricesOnce(given.price);
  // `viewSpec` reads them once, by `rulesFrom`.
  plain.rules = given.rules;
  plain.repeatedCommands = optional(readFlag, 'options.repeatedCommands', given.repeatedCommands);
  return onlyGiven(plain);
}

/** The options that were given. @param {Record<string, unknown>} options */
const onlyGiven = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => isGiven(value)));

/** The option `ages`: after how many requests each kind of result is outdated. @param {unknown} given */
function agesFrom(given) {
  const checked = checkOptions(given, OPTIONS.ages, 'options.ages') ?? {};
  const readAge = (/** @type {string} */ kind) =>
    optional(readInteger, `options.ages.${kind}`, checked[kind], 1, MAX_AGE);
  const ages = onlyGiven(Object.fromEntries(KINDS.map((kind) => [kind, readAge(kind)])));
  return Object.keys(ages).length === 0 ? undefined : ages;
}

/** In the core's order of kinds. @param {unknown} ages the view's option `ages` */
function agesByKind(ages) {
  if (ages === undefined) return undefined;
  const given = /** @type {Record<string, number>} */ (ages);
  return KINDS.map((kind) => given[kind] ?? null);
}

/** A copy of the option `price`. @param {any} price */
function pricesOnce(price) {
  if (typeof price !== 'object' || price === null) return price;
  checkOptions(price, OPTIONS.price, 'options.price');
  return onlyGiven(Object.fromEntries(OPTIONS.price.map((name) => [name, copiedValue(price[name])])));
}

/** The rules of a view. @param {Record<string, any>} plain @returns {import('../cleanup/options.js').PolicySpec} */
function viewSpec(plain) {
  const { tools, outdatedBy, keepTools, dropTools, repeated = outdatedBy !== 'nothing', repeatedCommands } = plain;
  // Until the user's language is known; `engineInLanguage` then replaces it.
  const placeholderLanguage =
    plain.placeholderLanguage === 'auto' ? choicesOf('language')[0] : plain.placeholderLanguage;
  const rules = rulesFrom(plain, presetsOf('inView'));
  // The core decides if this rule applies by default.
  const ofRepeated = { preset: 'repeatedCommands', label: 'options.repeatedCommands', options: undefined };
  if (repeatedCommands !== false) rules.push({ ...ofRepeated, isDefault: repeatedCommands === undefined });
  const ages = agesByKind(plain.ages);
  return {
    purpose: 'view',
    orphans: orphansFrom(plain.orphans ?? 'answer'),
    unknownAge: unknownAgeFrom(plain, 'keep'),
    rules,
    options: { placeholderLanguage, tools, outdatedBy, keepTools, dropTools, ages, repeated },
    dialect: forcedFrom(plain),
  };
}

/**
 * An engine whose placeholders are in the requested or the user's language; undefined if the given one has that language.
 * @param {{ spec: import('../cleanup/options.js').PolicySpec }} engine @param {Record<string, unknown>} plain @param {() => string} usersLanguage
 */
function engineInLanguage({ spec }, plain, usersLanguage) {
  const requested = plain.placeholderLanguage;
  const placeholderLanguage = requested === 'auto' ? usersLanguage() : requested;
  if (placeholderLanguage === spec.options?.placeholderLanguage) return undefined;
  return engineFor({ ...spec, options: { ...spec.options, placeholderLanguage } });
}

/** Reads the options that only `prepare` uses. @param {Record<string, any> | undefined} given @param {unknown} pin the view's own option `pin` */
function compressionFrom(given, pin) {
  const compression = given?.compression ?? null;
  if (compression !== null && typeof compression !== 'object') {
    throw wrongType('options.compression', 'an object with config and llmClient', compression);
  }
  checkOptions(compression, OPTIONS.compression, 'options.compression');
  const whenCold = optional(readShare, 'options.compressWhenCold', given?.compressWhenCold) ?? null;
  const inheritsPin = compression !== null && pin !== undefined && !isGiven(compression.pin);
  return { compression: inheritsPin ? { ...compression, pin } : compression, whenCold };
}

/** @param {string} name @param {unknown} value */
function readShare(name, value) {
  const share = 'a share of the window';
  return readNumber(name, value, (number) => number > 0 && number <= 1, `${share}, above 0 and at most 1`, share);
}

module.exports = { agesByKind, compressionFrom, engineInLanguage, KINDS, plainOptions, viewSpec };
