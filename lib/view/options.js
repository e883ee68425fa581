// @ts-check
'use strict';

const { checkOptions, choicesOf, optional, readFlag, readInteger } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { engineFor } = require('../cleanup/engine.js');
const { copiedList, copiedValue, namedOptions, takenOnce } = require('../cleanup/policy-spec.js');
const { presetsOf } = require('../cleanup/presets.js');
const { forcedFrom } = require('../messages/choice.js');
const { OPTIONS, PRESETS } = require('../option-names.js');
const { orphansFrom, placeholderLanguageFrom, rulesFrom, unknownAgeFrom } = require('../cleanup/functions.js');

/** @type {import('../cleanup/policy-spec.js').RuleSpec} The core decides if it applies by default. */
const REPEATED_COMMANDS = { preset: 'repeatedCommands', label: 'options.repeatedCommands', options: undefined };
/** Options with a single value. */
const VALUES = [
  'orphans',
  'unknownAge',
  'dialect',
  'tools',
  'outdatedBy',
  'maxExtraCost',
  'budgetTokens',
  'binary',
  'repeated',
  'marks',
];

/** The kinds of results, in the core's order. */
const KINDS = /** @type {readonly import('../entry/types/view.js').ResultKind[]} */ (OPTIONS.ages);
/** Exceeds the requests of any conversation. */
const MAX_AGE = 1_000_000;

/** Options that are lists of tool patterns. */
const TOOL_LISTS = /** @type {const} */ (['keepTools', 'dropTools']);

/**
 * Copies a view's options to plain data, reading each once.
 * @param {unknown} options
 * @returns {Record<string, unknown>}
 */
function plainOptions(options) {
  const given = checkOptions(options, OPTIONS.view) ?? {};
  /** @type {Record<string, unknown>} */
  const plain = {};
  for (const name of VALUES) set(plain, name, copiedValue(given[name]));
  for (const name of TOOL_LISTS) {
    const value = given[name];
    set(plain, name, Array.isArray(value) ? copiedList(`options.${name}`, value) : copiedValue(value));
  }
  set(plain, 'ages', agesFrom(given.ages));
  set(plain, 'placeholderLanguage', placeholderLanguageFrom(given));
  for (const [name] of presetsOf('inView')) {
    const value = given[name];
    if (typeof value === 'object') checkOptions(value, PRESETS[name]?.within ?? [], `options.${name}`);
    set(plain, name, typeof value === 'object' ? namedOptions(takenOnce(value, `options.${name}`)) : value);
  }
  const { price, rules } = given;
  const isObject = typeof price === 'object' && price !== null;
  set(plain, 'price', isObject ? pricesOnce(/** @type {any} */ (price)) : price);
  set(plain, 'rules', rules);
  set(plain, 'repeatedCommands', optional(readFlag, 'options.repeatedCommands', given.repeatedCommands));
  return plain;
}

/** True if repeated lines in results are replaced by references. @param {Record<string, unknown>} plain */
function refersToRepeated({ repeated, outdatedBy }) {
  return typeof repeated === 'boolean' ? repeated : outdatedBy !== 'nothing';
}

/** @param {Record<string, unknown>} plain @param {string} name @param {unknown} value */
function set(plain, name, value) {
  if (value !== undefined && value !== null) plain[name] = value;
}

/** @param {unknown} given @returns {Record<string, number> | undefined} */
function agesFrom(given) {
  if (given === undefined || given === null) return undefined;
  const ages = checkOptions(given, OPTIONS.ages, 'options.ages') ?? {};
  const named = KINDS.map((kind) => /** @type {const} */ ([kind, ages[kind] ?? undefined]));
  const read = named.flatMap(([kind, age]) =>
    age === undefined ? [] : [[kind, readInteger(`options.ages.${kind}`, age, 1, MAX_AGE)]],
  );
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

/** In the core's order of kinds. @param {unknown} ages the view's option `ages` */
function agesByKind(ages) {
  if (ages === undefined) return undefined;
  const given = /** @type {Record<string, number>} */ (ages);
  return KINDS.map((kind) => given[kind] ?? null);
}

/** @param {Record<string, unknown>} price */
function pricesOnce(price) {
  /** @type {Record<string, unknown>} */
  const prices = {};
  checkOptions(price, OPTIONS.price, 'options.price');
  for (const name of OPTIONS.price) set(prices, name, copiedValue(price[name]));
  return prices;
}

/**
 * The rules of a view. They apply to any agent's tools unless `tools` names one agent.
 * @param {Record<string, unknown>} plain
 * @returns {import('../cleanup/policy-spec.js').PolicySpec}
 */
function viewSpec(plain) {
  const { tools, outdatedBy, keepTools, dropTools } = plain;
  const placeholderLanguage =
    plain.placeholderLanguage === 'auto' ? choicesOf('language')[0] : plain.placeholderLanguage;
  const rules = rulesFrom(plain, presetsOf('inView'));
  const { repeatedCommands } = plain;
  if (repeatedCommands !== false) rules.push({ ...REPEATED_COMMANDS, isDefault: repeatedCommands === undefined });
  const orphans = orphansFrom(plain.orphans ?? 'answer');
  const unknownAge = unknownAgeFrom(plain, 'keep');
  const dialect = forcedFrom(plain);
  return {
    purpose: 'view',
    orphans,
    unknownAge,
    rules,
    options: {
      placeholderLanguage,
      tools,
      outdatedBy,
      keepTools,
      dropTools,
      ages: agesByKind(plain.ages),
      repeated: refersToRepeated(plain),
    },
    dialect,
  };
}

/**
 * An engine whose placeholders are in the requested or the user's language; undefined if `engine` already is one.
 * @param {InstanceType<typeof import('../cleanup/engine.js').Engine>} engine
 * @param {Record<string, unknown>} plain
 * @param {() => import('../arguments.js').Language} spoken
 */
function engineInLanguage({ spec }, plain, spoken) {
  const asked = plain.placeholderLanguage;
  const placeholderLanguage = asked === 'auto' ? spoken() : asked;
  if (placeholderLanguage === spec.options?.placeholderLanguage) return undefined;
  return engineFor({ ...spec, options: { ...spec.options, placeholderLanguage } });
}

/**
 * Reads the options that only `prepare` uses.
 * @param {Record<string, unknown> | undefined} given
 * @param {((message: any) => unknown) | undefined} pin the view's own option `pin`
 */
function compressionFrom(given, pin) {
  const compression = given?.compression ?? null;
  const whenCold = given?.compressWhenCold ?? null;
  if (compression !== null && typeof compression !== 'object') {
    throw wrongType('options.compression', 'an object with config and llmClient', compression);
  }
  checkOptions(compression, OPTIONS.compression, 'options.compression');
  if (whenCold !== null && typeof whenCold !== 'number') {
    throw wrongType('options.compressWhenCold', 'a share of the window', whenCold);
  }
  if (whenCold !== null && !(whenCold > 0 && whenCold <= 1)) {
    throw outOfRange('options.compressWhenCold', 'a share of the window, above 0 and at most 1', String(whenCold));
  }
  const isPinned = compression !== null && pin !== undefined && /** @type {any} */ (compression).pin == null;
  const pinned = isPinned ? { ...compression, pin } : compression;
  return { compression: /** @type {Record<string, any> | null} */ (pinned), whenCold };
}

module.exports = { agesByKind, KINDS, compressionFrom, engineInLanguage, plainOptions, refersToRepeated, viewSpec };
