// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');

/**
 * Checks what a manager is made with. What the core decides on (model, language, prompt) is checked there.
 * @param {unknown} options
 */
function readManagerOptions(options) {
  const given = checkOptions(options) ?? {};
  const { model, language, prompt, tools, pin, archive, sessionId, onEvent, logFields } = given;
  typed('options.sessionId', sessionId, 'string', 'a string');
  typed('options.pin', pin, 'function', 'a function');
  typed('options.onEvent', onEvent, 'function', 'a function');
  typed('options.logFields', logFields, 'object', 'an object');
  if (isGiven(tools) && !Array.isArray(tools) && typeof tools !== 'function') {
    throw wrongType('options.tools', 'an array, or a function that gives one', tools);
  }
  if (isGiven(archive) && typeof (/** @type {any} */ (archive).append) !== 'function') {
    throw wrongType('options.archive', 'a SessionArchive', archive);
  }
  return {
    native: { model, language, prompt },
    model: /** @type {string | undefined} */ (model ?? undefined),
    tools,
    pin: /** @type {((message: any) => unknown) | null} */ (pin ?? null),
    archive: /** @type {any} */ (archive ?? null),
    sessionId: /** @type {string | undefined} */ (sessionId ?? undefined),
    onEvent: onEvent ?? undefined,
    logFields: /** @type {Record<string, unknown>} */ (logFields ?? {}),
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

module.exports = { readManagerOptions };
