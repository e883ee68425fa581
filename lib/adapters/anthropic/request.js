// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { marked, marksIn } = require('./cache-marks.js');

/** @typedef {import('./cache-marks.js').Mark} Mark */

/** Whether the server keeps the conversation, and is sent new messages only. @param {any} params */
function isThreaded({ thread }) {
  return thread !== undefined && thread !== null && thread !== false;
}

/** Whether these are the parameters of a request, with its messages. @param {any} params */
function hasMessages(params) {
  return params !== null && typeof params === 'object' && isList(params.messages);
}

/**
 * The parameters of a request with other messages, marked for the cache if that is asked for; all else is as it was.
 * @param {any} params
 * @param {{ messages: readonly any[], breakpoints: readonly number[] }} prepared
 * @param {Mark | undefined} mark
 */
function withMarks(params, prepared, mark) {
  const { messages } = prepared;
  return { ...params, messages: mark ? marked(params, messages, prepared.breakpoints, mark) : messages };
}

/**
 * What the provider reads ahead of the messages: as text without marks, and how many marks there are.
 * @param {any} params
 */
function aheadOf({ model, system, tools, cache_control }) {
  const written = [system, tools].filter((part) => part !== undefined && part !== null);
  if (written.length === 0) return { ahead: '', marks: cache_control ? 1 : 0 };
  const ahead = JSON.stringify([model, ...written], (key, value) => (key === 'cache_control' ? undefined : value));
  return { ahead, marks: [...marksIn(tools), ...marksIn(system)].length + (cache_control ? 1 : 0) };
}

/** What a prefix costs that is kept for as long as `mark` says. @param {Mark | undefined} mark */
function priceOf(mark) {
  return mark?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
}

module.exports = { aheadOf, hasMessages, isThreaded, priceOf, withMarks };
