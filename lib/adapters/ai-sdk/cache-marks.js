// @ts-check
'use strict';

const { marked, placed } = require('../cache-marks.js');

/** @typedef {import('../cache-marks.js').Mark} Mark */

/**
 * @param {readonly any[]} messages
 * @param {readonly number[]} places
 * @param {Mark} mark
 * @param {readonly any[]} [tools] the application's breakpoints on them count towards the limit
 * @returns {any[]}
 */
function withCacheMarks(messages, places, mark, tools = []) {
  const before = toolMarks(tools).map((own) => placed(own, -1));
  const among = messages.flatMap((message, place) => marksIn(message).map((own) => placed(own, place)));
  return marked(messages, { places, hosts: [...before, ...among], mark, withMark });
}

/** @param {readonly any[]} tools */
const toolMarks = (tools) => tools.flatMap(markOn);

/** The SDK's provider accepts both spellings. @param {any} holder @returns {any[]} */
function markOn(holder) {
  const { cacheControl, cache_control } = holder?.providerOptions?.anthropic ?? {};
  return [cacheControl ?? cache_control ?? []].flat();
}

/** @param {any} message */
function marksIn(message) {
  const parts = Array.isArray(message?.content) ? message.content : [];
  return [...markOn(message), ...parts.flatMap((/** @type {any} */ part) => [...markOn(part), ...outputMarks(part)])];
}

/** The provider reads only one breakpoint of a result's output. @param {any} part */
function outputMarks({ output }) {
  const held = output?.type === 'content' && Array.isArray(output.value) ? output.value : [];
  return [...markOn(output), ...held.flatMap(markOn)].slice(0, 1);
}

/** @param {any} message @param {Mark} mark */
function withMark(message, mark) {
  const { providerOptions } = message;
  const anthropic = { ...providerOptions?.anthropic, cacheControl: mark };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}

module.exports = { toolMarks, withCacheMarks };
