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
const { CleanMessages } = require('./clean-messages.js');
const { withBinary } = require('./report.js');
const { withReferences } = require('./with-references.js');
const { withCopies } = require('./copy.js');
const { outcomeWithoutUncopyable, placeCopies } = require('./outcome.js');
const { engineFor } = require('./engine.js');
const { presetsOf } = require('./presets.js');
const { ruleNameOf, takenOnce } = require('./policy-spec.js');
const { CachedOptions } = require('./cached-options.js');

/**
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./policy-spec.js').PolicySpec} PolicySpec
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 */

/** The cleanup functions: they read the options, decide, and change `messages` in place or return copies. */

/**
 * Decides and puts copies into `messages`; the original objects stay unchanged.
 * @param {Engine} engine @param {unknown[]} messages @param {number} now @param {boolean} withReport
 */
function applyInPlace(engine, messages, now, withReport) {
  return engine.withConversation(messages, (conversation) => {
    conversation.decide(messages, now);
    if (conversation.layout.isFlat) {
      const copied = withCopies(messages, conversation, now);
      const { decision } = conversation;
      const indices = Array.from({ length: decision.editCount }, (_, edit) => decision.rowOf(edit));
      replaceSlots(
        messages,
        indices,
        indices.map((index) => copied[index]),
      );
    } else {
      const { changed } = outcomeWithoutUncopyable(messages, conversation, now);
      replaceSlots(messages, [...changed.keys()], [...changed.values()]);
    }
    return withReport ? conversation.report(messages) : undefined;
  });
}

/** Removes messages from the application's array. @param {unknown[]} messages @param {readonly number[]} removed indices, ascending */
function removeInPlace(messages, removed) {
  const [start] = removed;
  if (start === undefined) return;
  const left = copyOfList(messages);
  removeFromCopy(left, removed);
  replaceFrom(messages, start, left.slice(start));
}

/** @param {unknown[]} copy of the application's array @param {readonly number[]} removed indices, ascending */
function removeFromCopy(copy, removed) {
  if (removed.length === 0) return;
  let length = /** @type {number} */ (removed[0]);
  let removedCount = 0;
  for (let index = length; index < copy.length; index++) {
    if (index === removed[removedCount]) removedCount++;
    else copy[length++] = copy[index];
  }
  copy.length = length;
}

/** The option names of a preset: as an option of `prepareMessages`, and as a drop-in function. @param {string} preset */
function namesOf(preset) {
  return /** @type {{ within: string[], alone: string[] }} */ (PRESETS[preset]);
}

/** Removes orphans from `messages`. @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function dropOrphans(messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'remove');
  const dialect = forcedFrom(checkOptions(options, OPTIONS.cleanOrphans));
  const engine = engineFor({ purpose: 'dropIn', orphans: 'remove', unknownAge: 'keep', rules: [], dialect });
  return engine.withConversation(messages, (conversation) => {
    const decision = conversation.decide(messages, 0);
    const report = withReport ? conversation.report(messages) : undefined;
    const { droppedRows, duplicateCalls } = decision;
    if (conversation.layout.isFlat && duplicateCalls.length === 0) removeInPlace(messages, droppedRows);
    else if (droppedRows.length + duplicateCalls.length > 0)
      replaceFrom(messages, 0, outcomeWithoutUncopyable(messages, conversation, 0).toArray());
    return report;
  });
}

/** The checked options of the last call, keyed by preset. @type {Map<string, InstanceType<typeof CachedOptions<PolicySpec>>>} */
const presetOptions = new Map();

/** @param {string} preset @param {unknown} options @returns {PolicySpec} */
function presetSpec(preset, options) {
  const checked = checkOptions(options, namesOf(preset).alone);
  const unknownAge = unknownAgeFrom(checked, 'keep');
  const rules = [{ preset, label: 'options', options: takenOnce(checked, 'options') }];
  return { purpose: 'dropIn', orphans: 'keep', unknownAge, rules, dialect: forcedFrom(checked) };
}

/** Applies one built-in rule to `messages`. @param {string} preset @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function applyPreset(preset, messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  let cached = presetOptions.get(preset);
  if (cached === undefined) {
    cached = new CachedOptions((value) => presetSpec(preset, value));
    presetOptions.set(preset, cached);
  }
  const spec = cached.of(options);
  return applyInPlace(engineFor(spec), messages, nowFrom(/** @type {any} */ (options)), withReport);
}

/** Applies an application's rules to `messages`. @param {unknown[]} messages @param {unknown} rules @param {unknown} options */
function applyRules(messages, rules, options) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const checked = checkOptions(options, OPTIONS.judging);
  const now = nowFrom(checked);
  const unknownAge = unknownAgeFrom(checked, 'keep');
  const dialect = forcedFrom(checked);
  const specs = customRules(rules, 'rules');
  const engine = engineFor({ purpose: 'ownRules', orphans: 'keep', unknownAge, rules: specs, dialect });
  return applyInPlace(engine, messages, now, true);
}

/** @param {Record<string, unknown> | undefined} options @param {import('./policy-spec.js').UnknownAge} byDefault */
function unknownAgeFrom(options, byDefault) {
  const choices = /** @type {const} */ (['keep', 'old']);
  return optional(readChoice, 'options.unknownAge', options?.unknownAge, choices) ?? byDefault;
}

/** Reads an application's rules. @param {unknown} rules @param {string} label */
function customRules(rules, label) {
  return Array.from(readArray(label, rules, 'an array of rules'), (value, index) => {
    const rule = readOptions(`${label}[${index}]`, value, OPTIONS.rule, 'a rule object');
    return { label: `${label}[${index}]`, options: takenOnce(rule, `${label}[${index}]`) };
  });
}

/** @param {unknown} value @returns {PolicySpec['orphans']} */
function orphansFrom(value) {
  if (typeof value === 'boolean') return value ? 'remove' : 'keep';
  if (typeof value !== 'string') throw wrongType('options.orphans', "a boolean, 'remove' or 'answer'", value);
  if (value === 'remove' || value === 'answer') return value;
  throw outOfRange('options.orphans', "true, false, 'remove' or 'answer'", quoted(value));
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

const prepareOptions = new CachedOptions((options) => {
  const checked = checkOptions(options, OPTIONS.prepareMessages);
  const rules = rulesFrom(checked, presetsOf('inPrepare'));
  const orphans = orphansFrom(checked?.orphans ?? true);
  const unknownAge = unknownAgeFrom(checked, 'oldWhereNoneIsKnown');
  const dialect = forcedFrom(checked);
  const binary = optional(readFlag, 'options.binary', checked?.binary) ?? false;
  const repeated = optional(readFlag, 'options.repeated', checked?.repeated) ?? false;
  return { rules, orphans, unknownAge, dialect, binary, repeated, language: placeholderLanguageFrom(checked) };
});

/**
 * The rules that the options turn on: presets, and the application's own.
 * @param {Record<string, unknown> | undefined} options
 * @param {import('./presets.js').Presets} presets
 * @returns {import('./policy-spec.js').RuleSpec[]}
 */
function rulesFrom(options, presets) {
  /** @type {import('./policy-spec.js').RuleSpec[]} */ const rules = [];
  for (const [preset, isOnByDefault] of presets) {
    const value = options?.[preset] ?? isOnByDefault;
    if (typeof value !== 'boolean' && typeof value !== 'object')
      throw wrongType(`options.${preset}`, 'a boolean or an object', value);
    if (value === false) continue;
    const label = `options.${preset}`;
    if (value !== true) checkOptions(value, namesOf(preset).within, label);
    rules.push({ preset, label, options: value === true ? undefined : takenOnce(value, label) });
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

/** Returns what is sent for `messages`, and a report. @param {readonly unknown[]} messages @param {unknown} options */
function prepareMessages(messages, options) {
  checkMessages(messages);
  const { language, binary, repeated, ...policy } = prepareOptions.of(options);
  const placeholderLanguage = language === 'auto' ? usersFirstLanguage(messages, policy.dialect) : language;
  /** @type {PolicySpec} */
  const spec = { purpose: 'prepare', ...policy, options: { placeholderLanguage, repeated: repeated || undefined } };
  const now = nowFrom(/** @type {any} */ (options));
  // Binary data is removed before the rules run, so that rules see what is sent.
  const cleaner = binary ? new CleanMessages(policy.dialect) : null;
  const clean = cleaner?.of(messages) ?? messages;
  return engineFor(spec).withConversation(clean, (conversation) => {
    conversation.decide(clean, now);
    const referring = repeated ? withReferences(clean, conversation, now) : undefined;
    const prepared = referring?.messages ?? preparedFrom(clean, conversation, now);
    const report = referring?.report ?? conversation.report(clean);
    return { messages: prepared, report: cleaner === null ? report : withBinary(report, cleaner.changes) };
  });
}

/** A copy of the array with the decision applied. @param {readonly unknown[]} messages @param {Conversation} conversation @param {number} now @returns {unknown[]} */
function preparedFrom(messages, conversation, now) {
  const { answeredCalls, duplicateCalls } = conversation.decision;
  // Each row is a message, and nothing is inserted.
  const isOneToOne = conversation.layout.isFlat && answeredCalls.length + duplicateCalls.length === 0;
  if (!isOneToOne) {
    const prepared = copyOfList(messages);
    return placeCopies(prepared, conversation)
      ? prepared
      : outcomeWithoutUncopyable(messages, conversation, now).toArray();
  }
  const prepared = withCopies(messages, conversation, now);
  removeFromCopy(prepared, conversation.decision.droppedRows);
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
