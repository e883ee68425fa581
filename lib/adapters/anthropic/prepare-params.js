// @ts-check
'use strict';

const { checkOptions, isGiven, nowFrom, optional, readFlag, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView, viewInternals } = require('../../view/context-view.js');
const { listenerFrom } = require('../../callbacks.js');
const { ContextViews, conversationInternals } = require('../../view/context-views.js');
const { weightOfText } = require('../../tokens/weight.js');
const { priceOf, readCacheControl } = require('../cache-breakpoints.js');
const { fixedPrefixOf, hasMessages, isThreaded, withMessages } = require('./request.js');

/** Conversations of calls without the option `view`, keyed by price and breakpoints. @type {Map<string, InstanceType<typeof ContextViews>>} */
const viewsByPrice = new Map();

/** Returns a copy of a call's parameters with the messages to send. @param {any} params @param {unknown} [options] */
async function prepareParams(params, options) {
  if (!hasMessages(params)) throw wrongType('params', 'the parameters of a request, with `messages`', params);
  if (isThreaded(params)) throw outOfRange('params.thread', 'none, or false', 'one, whose messages the server keeps');
  const checked = checkOptions(options, OPTIONS.prepareParams) ?? {};
  const cacheControl = readCacheControl(checked.cacheControl);
  const signal = optional(readSignal, 'options.signal', checked.signal) ?? null;
  const notify = listenerFrom(checked.onEvent);
  const { model } = params;
  const { fixedText, fixedBreakpoints } = fixedPrefixOf(params);
  const request = {
    side: optional(readFlag, 'options.side', checked.side) ?? false,
    signal,
    ...(typeof model === 'string' && { model }),
    ...(isGiven(checked.now) && { now: nowFrom(checked) }),
  };
  const fixedPrefix = { tokens: weightOfText(fixedText), breakpointCount: fixedBreakpoints };
  const { view, prepared } = await prepareInView(checked, cacheControl, params.messages, request, fixedPrefix);
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') notify({ type: 'compression', view, ...compression });
  return withMessages(params, { messages, breakpoints: cacheControl ? view.breakpoints() : [] }, cacheControl);
}

/**
 * @param {Record<string, unknown>} options those of `prepareParams`
 * @param {import('../cache-breakpoints.js').CacheControl | undefined} cacheControl @param {readonly any[]} messages
 * @param {Record<string, unknown>} request options of `ContextView.prepare`
 * @param {import('../../view/projection.js').FixedPrefix} fixedPrefix
 */
async function prepareInView(options, cacheControl, messages, request, fixedPrefix) {
  const { view, conversationId } = options;
  if (view instanceof ContextView) {
    return { view, ...(await viewInternals.prepare(view, messages, request, { fixedPrefix })) };
  }
  if (isGiven(view) && !(view instanceof ContextViews)) {
    throw wrongType('options.view', 'a ContextView or ContextViews', view);
  }
  const price = priceOf(cacheControl);
  const marks = cacheControl !== undefined;
  const key = `${price} ${marks}`;
  const known = view instanceof ContextViews ? view : viewsByPrice.get(key);
  const views = known ?? new ContextViews({ price, repeated: false, marks });
  if (known === undefined) viewsByPrice.set(key, views);
  return conversationInternals.prepare(views, messages, { ...request, conversationId }, { fixedPrefix });
}

module.exports = { prepareParams };
