// @ts-check
'use strict';

const { checkMessages, checkOptions, checkWritable, nowFrom, optional, readFlag } = require('../arguments.js');
const { copyOfList } = require('../lists.js');
const { forcedFrom } = require('../messages/choice.js');
const { usersFirstLanguage } = require('../messages/users-language.js');
const { OPTIONS } = require('../option-names.js');
const { replaceFrom, replaceSlots } = require('../slots.js');
const { engineFor } = require('./engine.js');
const { MessagesWithoutBinary } = require('./messages-without-binary.js');
const { cachedOptions, customRules, namesOf, orphansFrom, placeholderLanguageFrom } = require('./options.js');
const { presetsOf, rulesFrom, takenOnce, unknownAgeFrom } = require('./options.js');
const { outcomeWithoutUncopyable, placeCopies, withCopies } = require('./outcome.js');
const { withReferences } = require('./references.js');
const { withBinary } = require('./report.js');

/**
 * The cleanup functions of the public API. `prepareMessages` returns what is sent as copies; the others change the application's array in place and
 * return a report. Those with the names and rules of an application's own functions are the drop-in functions.
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./options.js').PolicySpec} PolicySpec
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 */

/** @typedef {(messages: any[], options?: unknown) => any} DropIn */
/** @type {DropIn} */
const cleanOrphanedToolCalls = (messages, options) => dropOrphans(messages, options, true);
/** @type {DropIn} */
const simplifyOutdatedTerminalResults = (messages, options) => applyPreset('terminal', messages, options, true);
/** @type {DropIn} */
const simplifyHistoricalFileReads = (messages, options) => applyPreset('fileReads', messages, options, true);
/** @type {DropIn} */
const simplifyTextSearchResults = (messages, options) => applyPreset('textSearch', messages, options, true);

/** Removes orphans from `messages`. @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function dropOrphans(messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'remove');
  const dialect = forcedFrom(checkOptions(options, OPTIONS.cleanOrphans));
  const engine = engineFor({ purpose: 'dropIn', orphans: 'remove', unknownAge: 'keep', rules: [], dialect });
  return engine.withConversation(messages, (conversation) => {
    const { droppedRows, duplicateCalls } = conversation.decide(messages, 0);
    const report = withReport ? conversation.report(messages) : undefined;
    if (droppedRows.length + duplicateCalls.length === 0) return report;
    if (!conversation.table.isFlat || duplicateCalls.length > 0) {
      replaceFrom(messages, 0, outcomeWithoutUncopyable(messages, conversation, 0).toArray());
    } else {
      const left = copyOfList(messages);
      removeFromCopy(left, droppedRows);
      const firstDropped = /** @type {number} */ (droppedRows[0]);
      replaceFrom(messages, firstDropped, left.slice(firstDropped));
    }
    return report;
  });
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

/** The options of the drop-in functions, checked. @param {string} preset */
const presetOptions = (preset) =>
  cachedOptions((options) => {
    const checked = checkOptions(options, namesOf(preset).alone);
    const unknownAge = unknownAgeFrom(checked, 'keep');
    const rules = [{ preset, label: 'options', options: takenOnce(checked, 'options') }];
    /** @type {PolicySpec} */
    const spec = { purpose: 'dropIn', orphans: 'keep', unknownAge, rules, dialect: forcedFrom(checked) };
    return spec;
  });
const optionsOf = {
  terminal: presetOptions('terminal'),
  fileReads: presetOptions('fileReads'),
  textSearch: presetOptions('textSearch'),
};

/** Applies one built-in rule to `messages`. @param {keyof typeof optionsOf} preset @param {unknown[]} messages @param {unknown} options @param {boolean} withReport */
function applyPreset(preset, messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const spec = optionsOf[preset](options);
  return applyInPlace(engineFor(spec), messages, nowFrom(/** @type {any} */ (options)), withReport);
}

/** `simplifyToolResults`: applies an application's rules to `messages`. @param {unknown[]} messages @param {unknown} rules @param {unknown} options */
function applyRules(messages, rules, options) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const checked = checkOptions(options, OPTIONS.judging);
  const now = nowFrom(checked);
  const [unknownAge, dialect] = [unknownAgeFrom(checked, 'keep'), forcedFrom(checked)];
  const specs = customRules(rules, 'rules');
  const engine = engineFor({ purpose: 'ownRules', orphans: 'keep', unknownAge, rules: specs, dialect });
  return applyInPlace(engine, messages, now, true);
}

/** Decides and puts copies into `messages`. @param {Engine} engine @param {unknown[]} messages @param {number} now @param {boolean} withReport */
function applyInPlace(engine, messages, now, withReport) {
  return engine.withConversation(messages, (conversation) => {
    conversation.decide(messages, now);
    if (conversation.table.isFlat) {
      const copied = withCopies(messages, conversation, now);
      const { edits, editCount } = conversation.decision;
      const indices = edits.slice(0, editCount).map(({ row }) => row);
      const copies = indices.map((index) => copied[index]);
      replaceSlots(messages, indices, copies);
    } else {
      const { changed } = outcomeWithoutUncopyable(messages, conversation, now);
      replaceSlots(messages, [...changed.keys()], [...changed.values()]);
    }
    return withReport ? conversation.report(messages) : undefined;
  });
}

const prepareOptions = cachedOptions((options) => {
  const checked = checkOptions(options, OPTIONS.prepareMessages);
  const rules = rulesFrom(checked, presetsOf('inPrepare'));
  const orphans = orphansFrom(checked?.orphans ?? true);
  const unknownAge = unknownAgeFrom(checked, 'oldWhereNoneIsKnown');
  const dialect = forcedFrom(checked);
  const binary = optional(readFlag, 'options.binary', checked?.binary) ?? false;
  const repeated = optional(readFlag, 'options.repeated', checked?.repeated) ?? false;
  return { rules, orphans, unknownAge, dialect, binary, repeated, language: placeholderLanguageFrom(checked) };
});

/** Returns what is sent for `messages`, and a report. @param {readonly unknown[]} messages @param {unknown} options */
function prepareMessages(messages, options) {
  checkMessages(messages);
  const { language, binary, repeated, ...policy } = prepareOptions(options);
  const placeholderLanguage = language === 'auto' ? usersFirstLanguage(messages, policy.dialect) : language;
  /** @type {PolicySpec} */
  const spec = { purpose: 'prepare', ...policy, options: { placeholderLanguage, repeated: repeated || undefined } };
  const now = nowFrom(/** @type {any} */ (options));
  // Binary data is removed before the rules run, so that rules see what is sent.
  const withoutBinary = binary ? new MessagesWithoutBinary(policy.dialect) : null;
  const given = withoutBinary?.update(messages) ?? messages;
  return engineFor(spec).withConversation(given, (conversation) => {
    conversation.decide(given, now);
    const referring = repeated ? withReferences(given, conversation, now) : undefined;
    const prepared = referring?.messages ?? preparedFrom(given, conversation, now);
    const report = referring?.report ?? conversation.report(given);
    return { messages: prepared, report: withoutBinary === null ? report : withBinary(report, withoutBinary.changes) };
  });
}

/** A copy of the array with the decision applied. @param {readonly unknown[]} messages @param {Conversation} conversation @param {number} now @returns {unknown[]} */
function preparedFrom(messages, conversation, now) {
  const { answeredCalls, duplicateCalls } = conversation.decision;
  // Each row is a message, and nothing is inserted.
  const isOneToOne = conversation.table.isFlat && answeredCalls.length + duplicateCalls.length === 0;
  if (isOneToOne) {
    const prepared = withCopies(messages, conversation, now);
    removeFromCopy(prepared, conversation.decision.droppedRows);
    return prepared;
  }
  const prepared = copyOfList(messages);
  if (placeCopies(prepared, conversation)) return prepared;
  return outcomeWithoutUncopyable(messages, conversation, now).toArray();
}

module.exports = {
  applyPreset,
  applyRules,
  cleanOrphanedToolCalls,
  dropOrphans,
  prepareMessages,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
};
