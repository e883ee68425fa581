// @ts-check
'use strict';

const { checkOptions, isGiven, nowFrom, optional, readFlag, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView, inner } = require('../../view/context-view.js');
const { listenerFrom } = require('../../listener.js');
const { ContextViews, innerViews } = require('../../view/context-views.js');
const { weightOfText } = require('../../tokens/weight.js');
const { priceOf, readCacheControl } = require('../cache-breakpoints.js');
const { aheadOf, hasMessages, isThreaded, withMessages } = require('./request.js');

/** Conversations of calls without a `view` option, by price and breakpoints. @type {Map<string, InstanceType<typeof ContextViews>>} */
const shared = new Map();

/** Returns a copy of a call's parameters with the messages to send. @param {any} params @param {unknown} [options] */
async function prepareParams(params, options) {
  if (!hasMessages(params)) throw wrongType('params', 'the parameters of a request, with `messages`', params);
  if (isThreaded(params)) throw outOfRange('params.thread', 'none, or false', 'one, whose messages the server keeps');
  const checked = checkOptions(options, OPTIONS.prepareParams);
  const cacheControl = readCacheControl(checked?.cacheControl);
  const signal = optional(readSignal, 'options.signal', checked?.signal);
  const tell = listenerFrom(checked?.onEvent);
  const { model } = params;
  const { ahead, marks } = aheadOf(params);
  const side = optional(readFlag, 'options.side', checked?.side) ?? false;
  const known = typeof model === 'string' ? { model } : {};
  const request = { side, signal: signal ?? null, ...known, ...(isGiven(checked?.now) && { now: nowFrom(checked) }) };
  const before = { tokens: weightOfText(ahead), marks };
  const { view, prepared } = await prepareBy(checked, cacheControl, params.messages, request, before);
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') tell({ type: 'compression', view, ...compression });
  return withMessages(params, { messages, breakpoints: cacheControl ? view.breakpoints() : [] }, cacheControl);
}

/**
 * @param {Record<string, unknown> | undefined} options
 * @param {import('../cache-breakpoints.js').CacheControl | undefined} cacheControl
 * @param {readonly any[]} messages
 * @param {Record<string, unknown>} request
 * @param {{ tokens: number, marks: number }} ahead
 */
async function prepareBy(options, cacheControl, messages, request, ahead) {
  const { view, conversationId } = options ?? {};
  if (view instanceof ContextView) {
    return { view, ...(await inner.prepare(view, messages, request, { fixedPrefix: ahead })) };
  }
  if (isGiven(view) && !(view instanceof ContextViews)) {
    throw wrongType('options.view', 'a ContextView or ContextViews', view);
  }
  const views = view instanceof ContextViews ? view : sharedViews(cacheControl);
  return innerViews.ask(views, messages, { ...request, conversationId }, ahead);
}

/** @param {import('../cache-breakpoints.js').CacheControl | undefined} cacheControl */
function sharedViews(cacheControl) {
  const price = priceOf(cacheControl);
  const key = `${price} ${cacheControl !== undefined}`;
  const views = shared.get(key) ?? new ContextViews({ price, repeated: false, marks: cacheControl !== undefined });
  shared.set(key, views);
  return views;
}

module.exports = { prepareParams };
