// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { marked } = require('./cache-marks.js');

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
 * @param {readonly any[]} messages
 * @param {readonly number[]} breakpoints
 * @param {Mark | undefined} mark
 */
function paramsWith(params, messages, breakpoints, mark) {
  return { ...params, messages: mark ? marked(params, messages, breakpoints, mark) : messages };
}

/** What a prefix costs that is kept for as long as `mark` says. @param {Mark | undefined} mark */
function priceOf(mark) {
  return mark?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
}

module.exports = { hasMessages, isThreaded, paramsWith, priceOf };
