// @ts-check
'use strict';

const { readMarkedOptions } = require('../marked-options.js');
const { withCacheMarks } = require('./cache-marks.js');

/** @typedef {{ stored: readonly any[], given: readonly any[], request: any }} Step `given`: the messages that were sent for `stored` */

/** A restarted stream requests the same step twice. */
const REMEMBERED_STEPS = 2;

/**
 * Creates a function for `prepareStep`. From version 7 on, the SDK passes its return value to the next step, so the stored messages are put back
 * first: nothing is projected twice, and nothing is lost.
 * @param {unknown} [options]
 */
function prepareStep(options) {
  const { conversations, mark } = readMarkedOptions(options);
  /** Steps, newest first, by the list of steps that the SDK keeps per run. @type {WeakMap<object, Step[]>} */ const runs =
    new WeakMap();

  const prepare = async (/** @type {{ messages: any[], steps: any[], model?: any }} */ step) => {
    const { messages, steps, model } = step;
    const known = runs.get(steps) ?? [];
    known[0]?.request.observe(steps.at(-1)?.usage);
    const stored = storedOf(messages, known);
    const told = { request: step, model: typeof model === 'string' ? model : model?.modelId };
    const request = await conversations.prepare(stored, told);
    const given = mark ? withCacheMarks(request.messages, request.breakpoints, mark) : request.messages;
    runs.set(steps, [{ stored, given, request }, ...known].slice(0, REMEMBERED_STEPS));
    return { messages: given };
  };
  return Object.assign(prepare, conversations.open);
}

/** @param {readonly any[]} messages @param {readonly Step[]} known */
function storedOf(messages, known) {
  const before = known.find(({ given }) => given.every((message, index) => message === messages[index]));
  return before === undefined ? messages : [...before.stored, ...messages.slice(before.given.length)];
}

module.exports = { prepareStep };
