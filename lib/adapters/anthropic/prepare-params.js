// @ts-check
'use strict';

const { checkOptions, nowFrom, optional, readFlag, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView, inner } = require('../../view/context-view.js');
const { ContextViews } = require('../../view/views.js');
const { weightOfText } = require('../../view/weight.js');
const { priceOf, readCacheControl } = require('../cache-marks.js');
const { listenerFrom } = require('../events.js');
const { aheadOf, hasMessages, isThreaded, withMarks } = require('./request.js');

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
  const tell = listenerFrom(given?.onEvent);
  const { model } = params;
  const { ahead, marks } = aheadOf(params);
  const named = { conversationId: given?.conversationId, side: given?.side, scope: `${model}${ahead}` };
  const view = viewFrom(given?.view, mark, params.messages, named);
  const side = optional(readFlag, 'options.side', given?.side) ?? false;
  if (!side) inner.setAhead(view, { tokens: weightOfText(ahead), marks });
  const known = typeof model === 'string' ? { model } : {};
  const prepared = await view.prepare(params.messages, { now, side, signal: signal ?? null, ...known });
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') tell({ type: 'compression', view, ...compression });
  return withMarks(params, { messages, breakpoints: mark === undefined ? [] : view.breakpoints() }, mark);
}

/**
 * @param {unknown} given
 * @param {import('../cache-marks.js').Mark | undefined} mark
 * @param {readonly any[]} messages
 * @param {Record<string, unknown>} named which conversation it is
 */
function viewFrom(given, mark, messages, named) {
  if (given instanceof ContextView) return given;
  if (given instanceof ContextViews) return given.viewFor(messages, named);
  if (given !== undefined && given !== null) throw wrongType('options.view', 'a ContextView or ContextViews', given);
  const price = priceOf(mark);
  const key = `${price} ${mark !== undefined}`;
  const views = shared.get(key) ?? new ContextViews({ price, marks: mark !== undefined });
  shared.set(key, views);
  return views.viewFor(messages, named);
}

module.exports = { prepareParams };
