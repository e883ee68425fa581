// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { checkMessages, checkOptions, checkWritable, choicesOf, nowFrom, optional } = require('../arguments.js');
const { readArray, readChoice, readFlag, readOptions } = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { forcedFrom } = require('../messages/choice.js');
const { usersFirstLanguage } = require('../messages/users-language.js');
const { OPTIONS, PRESETS } = require('../option-names.js');
const { replaceFrom, replaceSlots } = require('../slots.js');
const { withoutBinaries } = require('./binary.js');
const { withBinary } = require('./report.js');
const { withReferences } = require('./with-references.js');
const { placeCopies, placeOwnCopies } = require('./copy.js');
const { outcomeOf, placeReplaced } = require('./outcome.js');
const { engineFor } = require('./engine.js');
const { presetsOf } = require('./presets.js');
const { ruleNameOf, takenOnce } = require('./policy-spec.js');
const { RememberedOptions } = require('./remembered-options.js');

/**
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./policy-spec.js').PolicySpec} PolicySpec
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 */

/**
 * Decides and puts copies into `messages`; the original objects stay unchanged.
 * @param {Engine} engine @param {unknown[]} messages @param {number} now @param {boolean} withReport
 */
function applyInPlace(engine, messages, now, withReport) {
  return engine.remember(messages, (conversation) => {
    conversation.decide(messages, now);
    if (conversation.layout.isFlat) placeCopies(messages, conversation, now);
    else {
      const { changed } = outcomeOf(messages, conversation, now);
      replaceSlots(messages, [...changed.keys()], [...changed.values()]);
    }
    return withReport ? conversation.report(messages) : undefined;
  });
}

/** @param {unknown[]} messages @param {readonly number[]} dropped ascending */
function removeInPlace(messages, dropped) {
  const [start] = dropped;
  if (start === undefined) return;
  const left = copyOfList(messages);
  leaveOut(left, dropped);
  replaceFrom(messages, start, left.slice(start));
}

/** @param {unknown[]} own an array of our own @param {readonly number[]} dropped ascending */
function leaveOut(own, dropped) {
  if (dropped.length === 0) return;
  let to = /** @type {number} */ (dropped[0]);
  let next = 0;
  for (let from = to; from < own.length; from++) {
    if (from === dropped[next]) next++;
    else own[to++] = own[from];
  }
  own.length = to;
}

/** @param {string} preset */
function namesOf(preset) {
  return /** @type {{ within: string[], alone: string[] }} */ (PRESETS[preset]);
}

/** @type {Engine | undefined} */ let orphanEngine;

/** @param {import('../messages/choice.js').Forced} dialect */
function orphanEngineFor(dialect) {
  const engine = () => engineFor({ purpose: 'dropIn', orphans: 'remove', unknownAge: 'keep', rules: [], dialect });
  if (dialect !== undefined) return engine();
  orphanEngine ??= engine();
  return orphanEngine;
}

/** @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function dropOrphans(messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'remove');
  const engine = orphanEngineFor(forcedFrom(checkOptions(options, OPTIONS.cleanOrphans)));
  return engine.remember(messages, (conversation) => {
    const decision = conversation.decide(messages, 0);
    const report = withReport ? conversation.report(messages) : undefined;
    const { dropped, repeated } = decision;
    if (conversation.layout.isFlat && repeated.length === 0) removeInPlace(messages, dropped);
    else if (dropped.length + repeated.length > 0)
      replaceFrom(messages, 0, outcomeOf(messages, conversation, 0).toArray());
    return report;
  });
}

/** Keyed by preset. @type {Map<string, InstanceType<typeof RememberedOptions<PolicySpec>>>} */
const presetOptions = new Map();

/** @param {string} preset @param {unknown} options @returns {PolicySpec} */
function presetSpec(preset, options) {
  const given = checkOptions(options, namesOf(preset).alone);
  const unknownAge = unknownAgeFrom(given, 'keep');
  const rules = [{ preset, label: 'options', options: takenOnce(given, 'options') }];
  return { purpose: 'dropIn', orphans: 'keep', unknownAge, rules, dialect: forcedFrom(given) };
}

/** @param {string} preset @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function applyPreset(preset, messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  let known = presetOptions.get(preset);
  if (known === undefined) {
    known = new RememberedOptions((given) => presetSpec(preset, given));
    presetOptions.set(preset, known);
  }
  const spec = known.of(options);
  return applyInPlace(engineFor(spec), messages, nowFrom(/** @type {any} */ (options)), withReport);
}

/** @param {unknown[]} messages @param {unknown} rules @param {unknown} options */
function applyRules(messages, rules, options) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const given = checkOptions(options, OPTIONS.judging);
  const now = nowFrom(given);
  const unknownAge = unknownAgeFrom(given, 'keep');
  const dialect = forcedFrom(given);
  const own = customRules(rules, 'rules');
  const engine = engineFor({ purpose: 'ownRules', orphans: 'keep', unknownAge, rules: own, dialect });
  return applyInPlace(engine, messages, now, true);
}

/** @param {Record<string, unknown> | undefined} options @param {import('./policy-spec.js').UnknownAge} byDefault */
function unknownAgeFrom(options, byDefault) {
  const choices = /** @type {const} */ (['keep', 'old']);
  return optional(readChoice, 'options.unknownAge', options?.unknownAge, choices) ?? byDefault;
}

/** @param {unknown} rules @param {string} label */
function customRules(rules, label) {
  return Array.from(readArray(label, rules, 'an array of rules'), (given, index) => {
    const rule = readOptions(`${label}[${index}]`, given, OPTIONS.rule, 'a rule object');
    return { label: `${label}[${index}]`, options: takenOnce(rule, `${label}[${index}]`) };
  });
}

/** @param {unknown} given @returns {PolicySpec['orphans']} */
function orphansFrom(given) {
  if (typeof given === 'boolean') return given ? 'remove' : 'keep';
  if (typeof given !== 'string') throw wrongType('options.orphans', "a boolean, 'remove' or 'answer'", given);
  if (given === 'remove' || given === 'answer') return given;
  throw outOfRange('options.orphans', "true, false, 'remove' or 'answer'", quoted(given));
}

/**
 * The option `placeholderLanguage`, by default `'auto'`: the user's language.
 * @param {Record<string, unknown> | undefined} options
 * @returns {'auto' | import('../arguments.js').Language}
 */
function placeholderLanguageFrom(options) {
  const choices = /** @type {readonly ('auto' | 'zh' | 'en')[]} */ (['auto', ...choicesOf('language')]);
  return optional(readChoice, 'options.placeholderLanguage', options?.placeholderLanguage, choices) ?? 'auto';
}

const prepareOptions = new RememberedOptions((options) => {
  const given = checkOptions(options, OPTIONS.prepareMessages);
  const rules = rulesFrom(given, presetsOf('inPrepare'));
  const orphans = orphansFrom(given?.orphans ?? true);
  const unknownAge = unknownAgeFrom(given, 'oldWhereNoneIsKnown');
  const dialect = forcedFrom(given);
  const binary = optional(readFlag, 'options.binary', given?.binary) ?? false;
  const repeated = optional(readFlag, 'options.repeated', given?.repeated) ?? false;
  return { rules, orphans, unknownAge, dialect, binary, repeated, language: placeholderLanguageFrom(given) };
});

/**
 * @param {Record<string, unknown> | undefined} options
 * @param {import('./presets.js').Presets} presets
 * @returns {import('./policy-spec.js').RuleSpec[]}
 */
function rulesFrom(options, presets) {
  /** @type {import('./policy-spec.js').RuleSpec[]} */ const rules = [];
  for (const [preset, byDefault] of presets) {
    const given = options?.[preset] ?? byDefault;
    if (typeof given !== 'boolean' && typeof given !== 'object')
      throw wrongType(`options.${preset}`, 'a boolean or an object', given);
    if (given === false) continue;
    const label = `options.${preset}`;
    if (given !== true) checkOptions(given, namesOf(preset).within, label);
    rules.push({ preset, label, options: given === true ? undefined : takenOnce(given, label) });
  }
  const custom = options?.rules ?? null;
  if (custom !== null) {
    for (const rule of customRules(custom, 'options.rules')) {
      if (ruleNameOf(rule) === 'orphans') {
        throw outOfRange('options.rules', 'names other than the built-in ones', "'orphans'");
      }
      rules.push(rule);
    }
  }
  return rules;
}

/** @param {readonly unknown[]} messages @param {unknown} options */
function prepareMessages(messages, options) {
  checkMessages(messages);
  const { language, binary, repeated, ...given } = prepareOptions.of(options);
  const placeholderLanguage = language === 'auto' ? usersFirstLanguage(messages, given.dialect) : language;
  /** @type {PolicySpec} */
  const spec = { purpose: 'prepare', ...given, options: { placeholderLanguage, repeated: repeated || undefined } };
  const now = nowFrom(/** @type {any} */ (options));
  const { messages: read, changes } = binary
    ? withoutBinaries(messages, given.dialect)
    : { messages, changes: undefined };
  return engineFor(spec).remember(read, (conversation) => {
    conversation.decide(read, now);
    const referring = repeated ? withReferences(read, conversation, now) : undefined;
    const prepared = referring?.messages ?? preparedFrom(read, conversation, now);
    const report = referring?.report ?? conversation.report(read);
    return { messages: prepared, report: changes === undefined ? report : withBinary(report, changes) };
  });
}

/** @param {readonly unknown[]} messages @param {Conversation} conversation @param {number} now @returns {unknown[]} */
function preparedFrom(messages, conversation, now) {
  const prepared = copyOfList(messages);
  const { answered, repeated } = conversation.decision;
  // Here each row is a message, and nothing is inserted.
  const isOneToOne = conversation.layout.isFlat && answered.length + repeated.length === 0;
  if (!isOneToOne) {
    return placeReplaced(prepared, conversation) ? prepared : outcomeOf(messages, conversation, now).toArray();
  }
  placeOwnCopies(prepared, conversation, now);
  leaveOut(prepared, conversation.decision.dropped);
  return prepared;
}

module.exports = {
  applyPreset,
  applyRules,
  dropOrphans,
  orphansFrom,
  placeholderLanguageFrom,
  prepareMessages,
  rulesFrom,
  unknownAgeFrom,
};
