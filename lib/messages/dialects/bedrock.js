// @ts-check
'use strict';

/**
 * Messages of Bedrock's Converse API: a block has no type, only one field named after it. Roles must alternate. Results must be in the user
 * message directly after the calls, one for each call.
 */

const { isList } = require('../../lists.js');
const { isObject } = require('../../plain-data.js');
const { textOfContent, valueAsText } = require('../tool-result.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutPart, cutValue } = require('../parts.js');
const { afterResults, joined, mergedIn, partList, withoutParts } = require('../part-list.js');

const ROLES = new Set(['user', 'assistant', 'system']);
const MEDIA = Object.entries({ image: 'image', document: 'file', video: 'video', audio: 'audio' });

/** @type {import('../parts.js').ResultForm} */ const RESULT = {
  read: ({ content }) => (isList(content) ? textOfContent(content.map(inCommonForm)) : undefined),
  textIn: ({ content }) => (isList(content) && content.length === 1 ? content[0]?.text : undefined),
  content: ({ content }) => (isList(content) ? content.map(inCommonForm) : content),
  cut: cutResult,
};

/** @type {import('../choice.js').Dialect} */ const bedrock = {
  fields: ['role', 'content'],
  needsResultsInTurn: true,
  allowsSystemInTurn: true,

  ...partList({
    field: 'content',
    assistantRole: 'assistant',
    isStillCall(row, nth, block, at) {
      const call = block?.toolUse;
      if (!isObject(call)) return undefined;
      return row.isStillCall(nth, call.toolUseId, call.name, call.input, at, call.type === 'server_tool_use');
    },
    isStillResult(row, _, block, at) {
      const result = block?.toolResult;
      if (!isObject(result)) return undefined;
      return row?.isStillResult(result.toolUseId, result, isFailed(result), at) === true;
    },
    replaced(block, text) {
      const { toolResult: original } = block;
      const content = [{ text }];
      const toolResult = isSpreadable(original) ? { ...original, content } : copyOf(original, { content });
      return isSpreadable(block) ? { ...block, toolResult } : copyOf(block, { toolResult });
    },
  }),

  canRead: ({ role, content }) => ROLES.has(role) && isList(content),

  read({ role, content }, parts) {
    parts.setRole(ROLES.has(role) ? role : 'other');
    parts.each('content', content, (block, at) => {
      const { toolUse, toolResult } = block ?? {};
      if (isObject(toolResult)) {
        const isProviders = role === 'assistant';
        if (isProviders) parts.unchangeableCount++;
        const { toolUseId: id } = toolResult;
        return parts.result({ id, source: toolResult, failed: isFailed(toolResult), at, isProviders }, RESULT);
      }
      if (isObject(toolUse)) {
        const { toolUseId: id, name, input, type } = toolUse;
        const isProviders = type === 'server_tool_use';
        const quoted = isProviders ? [name, input] : undefined;
        return parts.call({ id, name, arguments: input, at, settled: isProviders, quoted });
      }
      if (block?.cachePoint !== undefined) return;
      if (role === 'user') parts.otherSpeaks();
      readBlock(block, at, parts);
    });
  },

  without(message, removed) {
    const left = withoutParts(message, 'content', removed);
    // A message needs more than cache breakpoints.
    return left?.content.every((/** @type {any} */ block) => block?.cachePoint !== undefined) ? undefined : left;
  },

  addResults(outcome, index, calls, text) {
    // Some models reject a result with a status. Later messages don't count: they must not change what was sent before.
    const earlier = outcome.messages.slice(0, index + 2).flatMap((each) => (isList(each?.content) ? each.content : []));
    const status = earlier.some((block) => block?.toolResult?.status !== undefined) ? { status: 'error' } : {};
    const results = calls.map(({ id: toolUseId }) => ({ toolResult: { toolUseId, content: [{ text }], ...status } }));
    const next = outcome.at(index + 1);
    const blocks = next?.role === 'user' ? next.content : undefined;
    if (!isList(blocks)) return outcome.insert(index, [{ role: 'user', content: results }]);
    const isResult = (/** @type {any} */ block) => block?.toolResult !== undefined;
    outcome.set(index + 1, copyOf(next, { content: afterResults(blocks, isResult, results) }));
  },

  // Joins messages of the same role that a removal made adjacent.
  repair(outcome) {
    /** Index of the last message that stays. */ let previous = -1;
    let isAfterRemoved = false;
    for (let index = 0; index < outcome.messages.length; index++) {
      const message = outcome.at(index);
      const isRemoved = outcome.removed.has(index);
      const both = isAfterRemoved && !isRemoved ? joined(outcome.at(previous), message, 'content') : undefined;
      if (both !== undefined) {
        outcome.set(previous, both);
        outcome.set(index, message);
        outcome.removed.add(index);
      } else if (isRemoved) isAfterRemoved = previous >= 0;
      else [previous, isAfterRemoved] = [index, false];
    }
  },

  makeText: (text) => ({ role: 'user', content: [{ text }] }),
  merged: mergedIn('content'),
};

/** @param {any} block @param {number} at @param {import('../choice.js').Parts} parts */
function readBlock(block, at, parts) {
  const { reasoningContent, citationsContent, guardContent } = block ?? {};
  if (reasoningContent !== undefined) {
    parts.hasThinking = true;
    parts.add('counted', reasoningContent?.reasoningText?.text);
  } else if (citationsContent !== undefined) {
    const texts = citationsContent?.content;
    for (const text of isList(texts) ? texts : []) parts.part(text);
  } else if (guardContent !== undefined) parts.part(guardContent?.text?.text);
  else {
    const common = inCommonForm(block);
    parts.part(common, common === block ? at : -1);
  }
}

/** A block in the form that other dialects share, for texts, counting and quoting. @param {any} block */
function inCommonForm(block) {
  if (block?.json !== undefined) return valueAsText(block.json)?.text;
  for (const [field, type] of MEDIA) {
    const media = block?.[field];
    if (!isObject(media) || !isObject(media.source)) continue;
    const { format, source } = media;
    if (typeof source.text === 'string') return { type: 'text', text: source.text };
    const mimeType = type === 'file' ? `application/${format}` : `${type}/${format}`;
    return { type, mimeType, data: source.bytes ?? source.s3Location?.uri };
  }
  return block;
}

/** @param {any} block @param {import('../parts.js').Shorten} shorten */
function cutResult(block, shorten) {
  const { toolResult } = block;
  if (!isList(toolResult.content)) return block;
  const content = toolResult.content.map((/** @type {any} */ part) => {
    if (part?.json === undefined) return cutPart(part, true, shorten);
    // Cut JSON becomes text.
    const text = cutValue(part.json, shorten);
    return text === undefined ? part : { text };
  });
  return copyOf(block, { toolResult: copyOf(toolResult, { content }) });
}

const isFailed = (/** @type {any} */ { status }) => status === 'error';

module.exports = bedrock;
