// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { placed } = require('../cache-marks.js');

/** @typedef {import('../cache-marks.js').Mark} Mark */

/** Block types on which the API accepts `cache_control`. */
const MARKABLE = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result']);

/** @param {any} params the request @param {readonly any[]} messages as they are sent @returns {import('../cache-marks.js').Placed[]} */
function hostsIn({ tools, system, cache_control }, messages) {
  const before = [...marksIn(tools), ...marksIn(system)].map((mark) => placed(mark, -1));
  const among = messages.flatMap((message, place) => marksIn(message?.content).map((mark) => placed(mark, place)));
  // With this option, the API itself sets a breakpoint on the last block.
  return [...before, ...among, ...(cache_control ? [placed(cache_control, messages.length - 1)] : [])];
}

/** Sets a breakpoint on the last block that accepts one. @param {any} message @param {Mark} mark */
function withMark(message, mark) {
  const content = markedContent(message?.content, mark);
  return content && { ...message, content };
}

/** @param {unknown} content @param {Mark} mark @returns {any[] | undefined} */
function markedContent(content, mark) {
  if (typeof content === 'string') {
    return content.trim() === '' ? undefined : [{ type: 'text', text: content, cache_control: mark }];
  }
  if (!isList(content)) return undefined;
  const at = content.findLastIndex(isMarkable);
  if (at < 0) return undefined;
  return content.map((block, index) => (index === at ? { ...block, cache_control: mark } : block));
}

/** @param {any} block */
function isMarkable(block) {
  return MARKABLE.has(block?.type) && (block.type !== 'text' || String(block.text).trim() !== '');
}

/** @param {unknown} list of tools or blocks @returns {any[]} */
function marksIn(list) {
  if (!isList(list)) return [];
  return list.flatMap((block) => [
    ...(block?.cache_control ? [block.cache_control] : []),
    ...(block?.type === 'tool_result' ? marksIn(block.content) : []),
  ]);
}

module.exports = { hostsIn, markedContent, marksIn, withMark };
