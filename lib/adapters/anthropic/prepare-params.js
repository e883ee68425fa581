// @ts-check
'use strict';

const { checkOptions, nowFrom, optional, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView } = require('../../view/context-view.js');
const { ContextViews } = require('../../view/views.js');
const { readCacheControl } = require('./cache-marks.js');
const { hasMessages, isThreaded, paramsWith, priceOf } = require('./request.js');

/** The conversations of calls that bring no view, by the price of their prefix. @type {Map<string, InstanceType<typeof ContextViews>>} */
const shared = new Map();

/**
 * The parameters of a call with the messages as they are to be sent; all else as it is.
 * @param {any} params
 * @param {unknown} [options]
 */
async function prepareParams(params, options) {
  if (!hasMessages(params)) throw wrongType('params', 'the parameters of a request, with `messages`', params);
  if (isThreaded(params)) throw outOfRange('params.thread', 'none, or false', 'one, whose messages the server keeps');
  const given = checkOptions(options, OPTIONS.prepareParams);
  const mark = readCacheControl(given?.cacheControl);
  const signal = optional(readSignal, 'options.signal', given?.signal);
  const now = nowFrom(given);
  const view = viewFrom(given?.view, priceOf(mark), params.messages);
  const { messages } = await view.prepare(params.messages, { now, signal: signal ?? null });
  return paramsWith(params, messages, view.breakpoints(), mark);
}

/**
 * @param {unknown} given
 * @param {string} price
 * @param {readonly any[]} messages
 */
function viewFrom(given, price, messages) {
  if (given instanceof ContextView) return given;
  if (given instanceof ContextViews) return given.viewFor(messages);
  if (given !== undefined && given !== null) throw wrongType('options.view', 'a ContextView or ContextViews', given);
  const views = shared.get(price) ?? new ContextViews({ price });
  shared.set(price, views);
  return views.viewFor(messages);
}

module.exports = { prepareParams };
