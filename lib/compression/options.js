// @ts-check
'use strict';

const { checkLength, checkOptions, nowFrom, optional, readSignal } = require('../arguments.js');
const { readId } = require('../archive/stored-form.js');
const { wrongType } = require('../errors.js');
const { forcedFrom } = require('../messages/choice.js');
const { readLogStyle } = require('../log-style.js');
const { OPTIONS } = require('../option-names.js');
const { isAsyncFunction } = require('../unwaited.js');

/**
 * Checks what a manager is made with. What the core decides on (model, language, prompt) is checked there.
 * @param {unknown} options
 */
function readManagerOptions(options) {
  const given = checkOptions(options, OPTIONS.manager) ?? {};
  const { model, language, prompt, tools, pin, archive, sessionId, onEvent, logFields, logStyle } = given;
  typed('options.sessionId', sessionId, 'string', 'a string');
  typed('options.pin', pin, 'function', 'a function');
  typed('options.onEvent', onEvent, 'function', 'a function');
  typed('options.logFields', logFields, 'object', 'an object');
  for (const [name, given] of Object.entries({ pin, tools })) {
    if (isAsyncFunction(given)) throw wrongType(`options.${name}`, 'a function that answers at once', given);
  }
  if (isGiven(tools) && !Array.isArray(tools) && typeof tools !== 'function') {
    throw wrongType('options.tools', 'an array, or a function that gives one', tools);
  }
  if (Array.isArray(tools)) checkLength('options.tools', tools);
  if (isGiven(archive) && typeof (/** @type {any} */ (archive).append) !== 'function') {
    throw wrongType('options.archive', 'a SessionArchive', archive);
  }
  // Not made up here: after a restart the archive would have two sessions. Not read from the history: that would let
  // a message choose whose session it goes to.
  if (isGiven(archive)) readId('options.sessionId', sessionId);
  return {
    native: { model, language, prompt },
    model: /** @type {string | undefined} */ (model ?? undefined),
    tools,
    pin: /** @type {((message: any) => unknown) | null} */ (pin ?? null),
    archive: /** @type {any} */ (archive ?? null),
    sessionId: /** @type {string} */ (sessionId ?? ''),
    dialect: forcedFrom(given),
    onEvent: onEvent ?? undefined,
    logStyle: readLogStyle(logStyle),
    // Read once, here, where what a getter throws is the host's to see.
    logFields: { ...(logFields ?? {}) },
  };
}

/**
 * Checks the options of one call.
 * @param {unknown} options
 * @param {readonly string[]} [names]
 * @returns {{ signal: AbortSignal | undefined, now: number }}
 */
function readCall(options, names = OPTIONS.call) {
  const given = checkOptions(options, names);
  return { signal: optional(readSignal, 'options.signal', given?.signal), now: nowFrom(given) };
}

/** Checks what is wished for by hand. @param {unknown} options */
function readWish(options) {
  const given = checkOptions(options, OPTIONS.compressByHand) ?? {};
  const { summary, instructions } = given;
  for (const [name, value] of Object.entries({ summary, instructions })) {
    if (value !== undefined && value !== null && typeof value !== 'string') {
      throw wrongType(`options.${name}`, 'a string', value);
    }
  }
  return {
    summary: /** @type {string | undefined} */ (summary ?? undefined),
    instructions: /** @type {string | undefined} */ (instructions ?? undefined),
    ...readCall(given, OPTIONS.compressByHand),
  };
}

/** @param {unknown} value */
function isGiven(value) {
  return value !== undefined && value !== null;
}

/** @param {string} name @param {unknown} value @param {string} type @param {string} expected */
function typed(name, value, type, expected) {
  if (isGiven(value) && typeof value !== type) throw wrongType(name, expected, value);
}

module.exports = { readCall, readManagerOptions, readWish };
