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
const { outcomeOfCopyable, placeReplaced } = require('./outcome.js');
const { engineFor } = require('./engine.js');
const { presetsOf } = require('./presets.js');
const { ruleNameOf, takenOnce } = require('./policy-spec.js');
const { CachedOptions } = require('./cached-options.js');

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
  return engine.withConversation(messages, (conversation) => {
    conversation.decide(messages, now);
    if (conversation.layout.isFlat) {
      const own = withCopies(messages, conversation, now);
      const { decision } = conversation;
      const indices = Array.from({ length: decision.editCount }, (_, edit) => decision.rowOf(edit));
      const copies = indices.map((index) => own[index]);
      replaceSlots(messages, indices, copies);
    } else {
      const { changed } = outcomeOfCopyable(messages, conversation, now);
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

/** @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function dropOrphans(messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'remove');
  const dialect = forcedFrom(checkOptions(options, OPTIONS.cleanOrphans));
  const engine = engineFor({ purpose: 'dropIn', orphans: 'remove', unknownAge: 'keep', rules: [], dialect });
  return engine.withConversation(messages, (conversation) => {
    const decision = conversation.decide(messages, 0);
    const report = withReport ? conversation.report(messages) : undefined;
    const { dropped, repeated } = decision;
    if (conversation.layout.isFlat && repeated.length === 0) removeInPlace(messages, dropped);
    else if (dropped.length + repeated.length > 0)
      replaceFrom(messages, 0, outcomeOfCopyable(messages, conversation, 0).toArray());
    return report;
  });
}

/** Keyed by preset. @type {Map<string, InstanceType<typeof CachedOptions<PolicySpec>>>} */
const presetOptions = new Map();

/** @param {string} preset @param {unknown} options @returns {PolicySpec} */
function presetSpec(preset, options) {
  const checked = checkOptions(options, namesOf(preset).alone);
  const unknownAge = unknownAgeFrom(checked, 'keep');
  const rules = [{ preset, label: 'options', options: takenOnce(checked, 'options') }];
  return { purpose: 'dropIn', orphans: 'keep', unknownAge, rules, dialect: forcedFrom(checked) };
}

/** @param {string} preset @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
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

/** @param {unknown[]} messages @param {unknown} rules @param {unknown} options */
function applyRules(messages, rules, options) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const checked = checkOptions(options, OPTIONS.judging);
  const now = nowFrom(checked);
  const unknownAge = unknownAgeFrom(checked, 'keep');
  const dialect = forcedFrom(checked);
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
 * @param {Record<string, unknown> | undefined} options
 * @param {import('./presets.js').Presets} presets
 * @returns {import('./policy-spec.js').RuleSpec[]}
 */
function rulesFrom(options, presets) {
  /** @type {import('./policy-spec.js').RuleSpec[]} */ const rules = [];
  for (const [preset, byDefault] of presets) {
    const value = options?.[preset] ?? byDefault;
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

/** @param {readonly unknown[]} messages @param {unknown} options */
function prepareMessages(messages, options) {
  checkMessages(messages);
  const { language, binary, repeated, ...policy } = prepareOptions.of(options);
  const placeholderLanguage = language === 'auto' ? usersFirstLanguage(messages, policy.dialect) : language;
  /** @type {PolicySpec} */
  const spec = { purpose: 'prepare', ...policy, options: { placeholderLanguage, repeated: repeated || undefined } };
  const now = nowFrom(/** @type {any} */ (options));
  // Binary data is removed before the rules run, so that rules see what is sent.
  const clean = binary ? new CleanMessages(policy.dialect) : null;
  const read = clean?.of(messages) ?? messages;
  return engineFor(spec).withConversation(read, (conversation) => {
    conversation.decide(read, now);
    const referenced = repeated ? withReferences(read, conversation, now) : undefined;
    const prepared = referenced?.messages ?? preparedFrom(read, conversation, now);
    const report = referenced?.report ?? conversation.report(read);
    return { messages: prepared, report: clean === null ? report : withBinary(report, clean.changes) };
  });
}

/** @param {readonly unknown[]} messages @param {Conversation} conversation @param {number} now @returns {unknown[]} */
function preparedFrom(messages, conversation, now) {
  const { answered, repeated } = conversation.decision;
  // Here each row is a message, and nothing is inserted.
  const isOneToOne = conversation.layout.isFlat && answered.length + repeated.length === 0;
  if (!isOneToOne) {
    const prepared = copyOfList(messages);
    return placeReplaced(prepared, conversation) ? prepared : outcomeOfCopyable(messages, conversation, now).toArray();
  }
  const prepared = withCopies(messages, conversation, now);
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
