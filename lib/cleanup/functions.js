// @ts-check
'use strict';

const { checkMessages, checkOptions, checkWritable, nowFrom } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { copyWithContent } = require('./copy.js');
const { engineFor, policyKey } = require('./engine.js');
const { EDIT_NUMBERS } = require('./wire.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./engine.js').PolicySpec} PolicySpec
 * @typedef {InstanceType<typeof import('./row.js').Row>} Row
 */

/** @param {PolicySpec} spec */
function engineOf(spec) {
  return engineFor(spec, policyKey(spec));
}

/**
 * The copy that replaces message `index`; undefined when it can't be copied (a proxy or an accessor throws).
 * @param {Conversation} conversation
 * @param {readonly any[]} messages
 * @param {number} index
 * @param {string} text
 */
function copyOf(conversation, messages, index, text) {
  try {
    return copyWithContent(messages[index], text, /** @type {Row} */ (conversation.rows[index]));
  } catch {
    return undefined;
  }
}

/**
 * The copies that replace the rows of a decision, made before anything is changed. A message that can't be
 * copied is left alone, and the decision is made again without it.
 * @param {Conversation} conversation
 * @param {readonly any[]} messages
 * @param {number} now
 * @param {Decision} decision
 * @returns {{ decision: Decision, copies: unknown[] }}
 */
function copiesFor(conversation, messages, now, decision) {
  const { edits } = decision;
  const copies = [];
  for (let edit = 0, at = 0; at < edits.length; edit++, at += EDIT_NUMBERS) {
    const index = /** @type {number} */ (edits[at]);
    const copy = copyOf(conversation, messages, index, conversation.textOf(edit));
    if (copy === undefined) return copiesFor(conversation, messages, now, conversation.leaveAlone(index, now));
    copies.push(copy);
  }
  return { decision, copies };
}

/**
 * Decides and puts the result into `messages` itself: a slot gets a copy, the old object is left as it was.
 * @param {Engine} engine
 * @param {unknown[]} messages
 * @param {number} now
 * @param {boolean} withReport
 */
function applyInPlace(engine, messages, now, withReport) {
  return engine.remember(messages, (conversation) => {
    const decided = conversation.decide(messages, now);
    const { decision, copies } = copiesFor(conversation, messages, now, decided);
    place(messages, decision, copies);
    return withReport ? conversation.report() : undefined;
  });
}

/**
 * @param {unknown[]} messages
 * @param {Decision} decision
 * @param {unknown[]} copies
 */
function place(messages, { edits }, copies) {
  for (let edit = 0; edit < copies.length; edit++) {
    messages[/** @type {number} */ (edits[edit * EDIT_NUMBERS])] = copies[edit];
  }
}

/**
 * @param {unknown[]} messages
 * @param {Float64Array} dropped ascending
 */
function removeInPlace(messages, dropped) {
  if (dropped.length === 0) return;
  let next = 0;
  let to = /** @type {number} */ (dropped[0]);
  for (let from = to; from < messages.length; from++) {
    if (from === dropped[next]) next++;
    else messages[to++] = messages[from];
  }
  messages.length = to;
}

/** @type {Engine | undefined} */
let orphanEngine;

/**
 * @param {unknown[]} messages
 * @param {boolean} withReport
 */
function dropOrphans(messages, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'remove');
  orphanEngine ??= engineOf({ orphans: true, rules: [] });
  const engine = orphanEngine;
  return engine.remember(messages, (conversation) => {
    const decision = conversation.decide(messages, 0);
    const report = withReport ? conversation.report() : undefined;
    removeInPlace(messages, decision.dropped);
    return report;
  });
}

/**
 * @param {string} preset
 * @param {unknown[]} messages
 * @param {unknown} options
 * @param {boolean} withReport
 */
function applyPreset(preset, messages, options, withReport) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const given = checkOptions(options);
  const now = nowFrom(given);
  const engine = engineOf({ orphans: false, rules: [{ preset, label: 'options', options: given }] });
  return applyInPlace(engine, messages, now, withReport);
}

/**
 * @param {unknown[]} messages
 * @param {unknown} rules
 * @param {unknown} options
 */
function applyRules(messages, rules, options) {
  checkMessages(messages);
  checkWritable(messages, 'replace');
  const now = nowFrom(checkOptions(options));
  return applyInPlace(engineOf({ orphans: false, rules: customRules(rules, 'rules') }), messages, now, true);
}

/**
 * @param {unknown} rules
 * @param {string} label
 */
function customRules(rules, label) {
  if (!Array.isArray(rules)) throw wrongType(label, 'an array of rules', rules);
  return rules.map((rule, index) => {
    if (rule === null || typeof rule !== 'object') throw wrongType(`${label}[${index}]`, 'a rule object', rule);
    return { label: `${label}[${index}]`, options: rule };
  });
}

/**
 * @param {Record<string, unknown> | undefined} options
 * @returns {PolicySpec}
 */
function prepareSpec(options) {
  /** @type {import('./engine.js').RuleSpec[]} */
  const rules = [];
  for (const [preset, byDefault] of /** @type {[string, boolean][]} */ ([
    ['terminal', true],
    ['fileReads', true],
    ['textSearch', false],
  ])) {
    const given = options?.[preset] ?? byDefault;
    if (typeof given !== 'boolean' && typeof given !== 'object')
      throw wrongType(`options.${preset}`, 'a boolean or an object', given);
    if (given !== false)
      rules.push({ preset, label: `options.${preset}`, options: given === true ? undefined : given });
  }
  const orphans = options?.orphans ?? true;
  if (typeof orphans !== 'boolean') throw wrongType('options.orphans', 'a boolean', orphans);
  if (options?.rules !== undefined && options.rules !== null)
    rules.push(...customRules(options.rules, 'options.rules'));
  const names = rules.map(({ preset, options: rule }) => preset ?? /** @type {any} */ (rule).name);
  const reserved = names.indexOf('orphans');
  if (reserved >= 0) throw outOfRange('options.rules', 'names other than the built-in ones', "'orphans'");
  return { orphans, rules };
}

/**
 * The array to send: a new one, its untouched messages the host's own objects.
 * @param {readonly unknown[]} messages
 * @param {Decision} decision
 * @param {unknown[]} copies
 */
function preparedArray(messages, decision, copies) {
  const prepared = messages.slice();
  place(prepared, decision, copies);
  removeInPlace(prepared, decision.dropped);
  return prepared;
}

/**
 * @param {readonly unknown[]} messages
 * @param {unknown} options
 */
function prepareMessages(messages, options) {
  checkMessages(messages);
  const given = checkOptions(options);
  const now = nowFrom(given);
  return engineOf(prepareSpec(given)).remember(messages, (conversation) => {
    const decided = conversation.decide(messages, now);
    const { decision, copies } = copiesFor(conversation, messages, now, decided);
    return { messages: preparedArray(messages, decision, copies), report: conversation.report() };
  });
}

module.exports = {
  applyPreset,
  applyRules,
  copyOf,
  dropOrphans,
  engineOf,
  prepareMessages,
  preparedArray,
  prepareSpec,
};
