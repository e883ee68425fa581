// @ts-check
'use strict';

const { checkOptions, isGiven, nowFrom, optional, readFlag, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView, inner } = require('../../view/context-view.js');
const { listenerFrom } = require('../../listener.js');
const { askOf, ContextViews } = require('../../view/context-views.js');
const { weightOfText } = require('../../tokens/weight.js');
const { priceOf, readCacheControl } = require('../cache-marks.js');
const { aheadOf, hasMessages, isThreaded, withMarks } = require('./request.js');

/** Conversations of calls without a `view` option, by price and breakpoints. @type {Map<string, InstanceType<typeof ContextViews>>} */
const shared = new Map();

/** Returns a copy of a call's parameters with the messages to send. @param {any} params @param {unknown} [options] */
async function prepareParams(params, options) {
  if (!hasMessages(params)) throw wrongType('params', 'the parameters of a request, with `messages`', params);
  if (isThreaded(params)) throw outOfRange('params.thread', 'none, or false', 'one, whose messages the server keeps');
  const given = checkOptions(options, OPTIONS.prepareParams);
  const mark = readCacheControl(given?.cacheControl);
  const signal = optional(readSignal, 'options.signal', given?.signal);
  const tell = listenerFrom(given?.onEvent);
  const { model } = params;
  const { ahead, marks } = aheadOf(params);
  const side = optional(readFlag, 'options.side', given?.side) ?? false;
  const known = typeof model === 'string' ? { model } : {};
  const asked = { side, signal: signal ?? null, ...known, ...(isGiven(given?.now) && { now: nowFrom(given) }) };
  const before = { tokens: weightOfText(ahead), marks };
  const { view, prepared } = await ask(given, mark, params.messages, asked, before);
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') tell({ type: 'compression', view, ...compression });
  return withMarks(params, { messages, breakpoints: mark === undefined ? [] : view.breakpoints() }, mark);
}

/**
 * @param {Record<string, unknown> | undefined} given
 * @param {import('../cache-marks.js').Mark | undefined} mark
 * @param {readonly any[]} messages
 * @param {Record<string, unknown>} asked
 * @param {{ tokens: number, marks: number }} ahead
 */
async function ask(given, mark, messages, asked, ahead) {
  const { view, conversationId } = given ?? {};
  if (view instanceof ContextView) {
    return { view, prepared: await inner.prepare(view, messages, asked, { ahead }) };
  }
  if (isGiven(view) && !(view instanceof ContextViews)) {
    throw wrongType('options.view', 'a ContextView or ContextViews', view);
  }
  const views = view instanceof ContextViews ? view : sharedBy(mark);
  return askOf(views, messages, { ...asked, conversationId }, ahead);
}

/** @param {import('../cache-marks.js').Mark | undefined} mark */
function sharedBy(mark) {
  const price = priceOf(mark);
  const key = `${price} ${mark !== undefined}`;
  const views = shared.get(key) ?? new ContextViews({ price, repeated: false, marks: mark !== undefined });
  shared.set(key, views);
  return views;
}

module.exports = { prepareParams };
