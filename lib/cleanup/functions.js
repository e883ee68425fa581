// @ts-check
'use strict';

const { checkMessages, checkOptions, checkWritable, nowFrom } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { placeCopies } = require('./copy.js');
const { engineFor, policyKey } = require('./engine.js');

/**
 * @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine
 * @typedef {import('./engine.js').PolicySpec} PolicySpec
 */

/** @param {PolicySpec} spec */
function engineOf(spec) {
  return engineFor(spec, policyKey(spec));
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
    conversation.decide(messages, now);
    placeCopies(messages, conversation, now);
    return withReport ? conversation.report(messages) : undefined;
  });
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
  orphanEngine ??= engineOf({ orphans: true, unknownAge: 'keep', rules: [] });
  const engine = orphanEngine;
  return engine.remember(messages, (conversation) => {
    const decision = conversation.decide(messages, 0);
    const report = withReport ? conversation.report(messages) : undefined;
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
  const unknownAge = unknownAgeFrom(given, 'keep');
  const engine = engineOf({ orphans: false, unknownAge, rules: [{ preset, label: 'options', options: given }] });
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
  const given = checkOptions(options);
  const now = nowFrom(given);
  const spec = { orphans: false, unknownAge: unknownAgeFrom(given, 'keep'), rules: customRules(rules, 'rules') };
  return applyInPlace(engineOf(spec), messages, now, true);
}

/**
 * How results without a time are judged.
 * @param {Record<string, unknown> | undefined} options
 * @param {import('./engine.js').UnknownAge} byDefault
 */
function unknownAgeFrom(options, byDefault) {
  const given = options?.unknownAge;
  if (given === undefined || given === null) return byDefault;
  if (typeof given !== 'string') throw wrongType('options.unknownAge', "'keep' or 'old'", given);
  if (given !== 'keep' && given !== 'old') throw outOfRange('options.unknownAge', "'keep' or 'old'", `'${given}'`);
  return given;
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
  return { orphans, unknownAge: unknownAgeFrom(options, 'oldWhereNoneIsKnown'), rules };
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
    conversation.decide(messages, now);
    const prepared = messages.slice();
    placeCopies(prepared, conversation, now);
    removeInPlace(prepared, conversation.decision.dropped);
    return { messages: prepared, report: conversation.report(messages) };
  });
}

module.exports = { applyPreset, applyRules, dropOrphans, engineOf, prepareMessages, prepareSpec, removeInPlace };
