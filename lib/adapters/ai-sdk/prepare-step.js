// @ts-check
'use strict';

const { readCachingOptions } = require('../caching-options.js');
const { withCacheBreakpoints } = require('./cache-breakpoints.js');

/** @typedef {{ stored: readonly any[], sent: readonly any[], request: any }} Step `sent`: what was sent for the messages `stored` */

/** How many steps of a run are kept: a restarted stream requests the same step twice. */
const KEPT_STEPS = 2;

/**
 * Creates a function for `prepareStep`. From version 7 on, the SDK passes its return value to the next step, so the stored messages are put back
 * first: nothing is projected twice, and nothing is lost.
 * @param {unknown} [options]
 */
function prepareStep(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  /** Steps, newest first, keyed by the list of steps that the SDK keeps per run. @type {WeakMap<object, Step[]>} */ const runs =
    new WeakMap();

  const prepare = async (/** @type {{ messages: any[], steps: any[], model?: any }} */ step) => {
    const { messages, steps, model } = step;
    const earlier = runs.get(steps) ?? [];
    earlier[0]?.request.observe(steps.at(-1)?.usage);
    const stored = storedOf(messages, earlier);
    const details = { request: step, model: typeof model === 'string' ? model : model?.modelId };
    const request = await conversations.prepare(stored, details);
    const sent = withCacheBreakpoints(request, cacheControl);
    runs.set(steps, [{ stored, sent, request }, ...earlier].slice(0, KEPT_STEPS));
    return { messages: sent };
  };
  return Object.assign(prepare, conversations.publicMembers);
}

/** The stored messages of a step, whose messages may begin with those sent for an earlier step. @param {readonly any[]} messages @param {readonly Step[]} earlier */
function storedOf(messages, earlier) {
  const previous = earlier.find(({ sent }) => sent.every((message, index) => message === messages[index]));
  return previous === undefined ? messages : [...previous.stored, ...messages.slice(previous.sent.length)];
}

module.exports = { prepareStep };
