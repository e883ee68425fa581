// @ts-check
'use strict';

const { checkOptions, isGiven, nowFrom, optional, readFlag, readSignal } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { outOfRange, wrongType } = require('../../errors.js');
const { ContextView, inner } = require('../../view/context-view.js');
const { listenerFrom } = require('../../view/listener.js');
const { askOf, ContextViews } = require('../../view/views.js');
const { weightOfText } = require('../../view/weight.js');
const { priceOf, readCacheControl } = require('../cache-marks.js');
const { aheadOf, hasMessages, isThreaded, withMarks } = require('./request.js');

/** Conversations of calls without a view, by their price. @type {Map<string, InstanceType<typeof ContextViews>>} */
const shared = new Map();

/** A copy of a call's parameters with the messages that are to be sent. @param {any} params @param {unknown} [options] */
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
  const { view, prepared } = await ask(given?.view, mark, params.messages, asked, {
    conversationId: given?.conversationId,
    scope: `${model}${ahead}`,
    ahead: { tokens: weightOfText(ahead), marks },
  });
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') tell({ type: 'compression', view, ...compression });
  return withMarks(params, { messages, breakpoints: mark === undefined ? [] : view.breakpoints() }, mark);
}

/**
 * @param {unknown} given
 * @param {import('../cache-marks.js').Mark | undefined} mark
 * @param {readonly any[]} messages
 * @param {Record<string, unknown>} asked
 * @param {{ ahead: { tokens: number, marks: number }, [told: string]: unknown }} told names the conversation
 */
async function ask(given, mark, messages, asked, told) {
  if (given instanceof ContextView) {
    if (!asked.side) inner.setAhead(given, told.ahead);
    return { view: given, prepared: await given.prepare(messages, asked) };
  }
  if (isGiven(given) && !(given instanceof ContextViews)) {
    throw wrongType('options.view', 'a ContextView or ContextViews', given);
  }
  return askOf(given instanceof ContextViews ? given : sharedBy(mark), messages, { ...asked, ...told });
}

/** @param {import('../cache-marks.js').Mark | undefined} mark */
function sharedBy(mark) {
  const price = priceOf(mark);
  const key = `${price} ${mark !== undefined}`;
  const views = shared.get(key) ?? new ContextViews({ price, marks: mark !== undefined });
  shared.set(key, views);
  return views;
}

module.exports = { prepareParams };
