// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { marked } = require('../cache-marks.js');
const { hostsIn, marksIn, withMark } = require('./cache-marks.js');

/** @typedef {import('../cache-marks.js').Mark} Mark */

/** True if the server keeps the conversation and receives only new messages. @param {any} params */
function isThreaded({ thread }) {
  return thread !== undefined && thread !== null && thread !== false;
}

/** @param {any} params */
function hasMessages(params) {
  return params !== null && typeof params === 'object' && isList(params.messages);
}

/** @param {any} params @param {{ messages: readonly any[], breakpoints: readonly number[] }} prepared @param {Mark | undefined} mark */
function withMarks(params, prepared, mark) {
  const { messages, breakpoints: places } = prepared;
  if (mark === undefined) return { ...params, messages };
  const hosts = hostsIn(params, messages);
  return { ...params, messages: marked(messages, { places, hosts, mark, withMark }) };
}

/** System prompt and tools as text without breakpoints, and the number of breakpoints. @param {any} params */
function aheadOf({ system, tools, cache_control }) {
  const written = [system, tools].filter((part) => part !== undefined && part !== null);
  const marks = [...marksIn(tools), ...marksIn(system)].length + (cache_control ? 1 : 0);
  if (written.length === 0) return { ahead: '', marks };
  return { ahead: JSON.stringify(written, (key, value) => (key === 'cache_control' ? undefined : value)), marks };
}

module.exports = { aheadOf, hasMessages, isThreaded, withMarks };
