// @ts-check
'use strict';

/**
 * Gemini's `Content`: calls and responses are parts, most without an id. Responses must be in the content directly after the calls, one for each
 * call; without ids, order and name match them.
 */

const { isList } = require('../../lists.js');
const { isObject } = require('../../plain-data.js');
const { valueAsText } = require('../tool-result.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutValue, roleNames } = require('../parts.js');
const { mergedIn, partList } = require('../part-list.js');

const ROLES = roleNames({ user: 'user', model: 'assistant', function: 'tool', system: 'system' });

/** @type {import('../parts.js').ResultForm} */ const RESULT = {
  read: textOfResponse,
  textIn: ({ response, parts }) => (parts === undefined ? outputOf(response) : undefined),
  content: (response) => textOfResponse(response)?.text,
  cut: cutResponse,
};

/** @type {import('../choice.js').Dialect} */ const gemini = {
  fields: ['role', 'parts'],
  needsResultsInTurn: true,
  matchesByName: true,
  // No `thinking`: a signature belongs to its part only, so no message depends on another message's thinking.

  ...partList({
    field: 'parts',
    assistantRole: 'model',
    isStillCall(row, nth, part, at) {
      const call = part?.functionCall;
      if (!isObject(call)) return undefined;
      const read = row.tool_calls?.[nth];
      const hasNoId = read?.hasNoId === true && isMissing(call.id);
      return row.isStillCall(nth, hasNoId ? read.id : call.id, call.name, call.args, at);
    },
    isStillResult(row, _, part, at) {
      const response = part?.functionResponse;
      if (response === undefined) return undefined;
      if (!isObject(response) || row === undefined) return false;
      const hasNoId = row.toolName === response.name && isMissing(response.id);
      return row.isStillResult(hasNoId ? row.tool_call_id : response.id, response, isFailed(response), at);
    },
    replaced(part, text) {
      const { functionResponse: original } = part;
      const response = { output: text };
      const functionResponse = isSpreadable(original) ? { ...original, response } : copyOf(original, { response });
      if (isList(functionResponse.parts)) delete functionResponse.parts;
      return isSpreadable(part) ? { ...part, functionResponse } : copyOf(part, { functionResponse });
    },
  }),

  read({ role, parts: list }, parts) {
    // Contents without a role are user messages.
    parts.setRole(role === undefined ? 'user' : (ROLES.get(role) ?? 'other'));
    const hasResponses = list.some(isResponse);
    if (role !== 'model' && !hasResponses) parts.otherSpeaks();
    parts.each('parts', list, (part, at) => readPart(part, at, parts));
    // Media next to responses is tool output; text there is from the user.
    if (role !== 'model' && hasResponses && list.some(hasText)) parts.otherSpeaks();
  },

  addResults(outcome, index, calls, text) {
    const next = outcome.at(index + 1);
    const hasNextParts = next?.role !== 'model' && isList(next?.parts);
    /** @type {any[]} */ const nextParts = hasNextParts ? next.parts : [];
    const responses = nextParts.filter(isResponse);
    const others = nextParts.filter((part) => !isResponse(part));
    const unanswered = new Set(calls.map(({ at }) => at));
    const inCallOrder = outcome.at(index).parts.flatMap((/** @type {any} */ part, /** @type {number} */ at) => {
      if (part?.functionCall === undefined) return [];
      // The responses that exist are in the order of their calls.
      if (!unanswered.has(at)) return responses.splice(0, 1);
      const { id, name } = part.functionCall;
      return [{ functionResponse: { ...(id !== undefined && { id }), name, response: { error: text } } }];
    });
    const parts = [...inCallOrder, ...responses, ...others];
    if (hasNextParts) outcome.set(index + 1, copyOf(next, { parts }));
    else outcome.insert(index, [{ role: 'user', parts }]);
  },

  makeText: (text) => ({ role: 'user', parts: [{ text }] }),
  merged: mergedIn('parts'),
};

/** @param {any} part @param {number} at @param {import('../choice.js').Parts} parts */
function readPart(part, at, parts) {
  const { functionCall: call, functionResponse: response, executableCode: code, codeExecutionResult: run } = part ?? {};
  if (isObject(call)) {
    parts.call({ id: call.id, name: call.name, arguments: call.args, at });
  } else if (isObject(response)) {
    const { id, name } = response;
    parts.add('counted', name);
    parts.result({ id, name, source: response, failed: isFailed(response), at }, RESULT);
    for (const media of isList(response.parts) ? response.parts : []) readTextOrMedia(media, undefined, parts);
  } else if (code) parts.part(code.code);
  else if (run || part?.toolResponse) {
    parts.unchangeableCount++;
    if (run) parts.part(run.output);
    else parts.add('counted', part.toolResponse.response);
  } else readTextOrMedia(part, at, parts);
}

/** @param {any} part @param {number | undefined} at @param {import('../choice.js').Parts} parts */
function readTextOrMedia(part, at, parts) {
  parts.part(part, at);
  const data = part?.thought === true ? undefined : (part?.inlineData ?? part?.fileData);
  if (data) parts.add('marker', String(data.mimeType).startsWith('image/') ? 'image' : 'file');
}

/** @param {any} part @param {import('../parts.js').Shorten} shorten */
function cutResponse(part, shorten) {
  const { functionResponse: response } = part;
  const cut = cutValue(textOfResponse(response)?.text, shorten);
  if (cut === undefined) return part;
  const field = isFailed(response) ? 'error' : 'output';
  return copyOf(part, { functionResponse: copyOf(response, { response: { [field]: cut } }) });
}

const isMissing = (/** @type {unknown} */ id) => id === undefined || id === null;
const isResponse = (/** @type {any} */ part) => part?.functionResponse !== undefined;
/** True for a part with text that is not a thought. @param {any} part */
const hasText = (part) => typeof part?.text === 'string' && part.text.trim() !== '' && part.thought !== true;

/** The value of `output` or `result` if a response has no other field; otherwise the response itself. @param {any} response */
function outputOf(response) {
  let onlyKey;
  for (const key in response) {
    if (onlyKey !== undefined || (key !== 'output' && key !== 'result')) return response;
    onlyKey = key;
  }
  return onlyKey === undefined ? response : response[onlyKey];
}

/** @param {any} response @returns {import('../tool-result.js').ResultText | undefined} */
function textOfResponse({ response, parts }) {
  const result = isObject(response) ? valueAsText(outputOf(response)) : undefined;
  return result === undefined ? undefined : { text: result.text, hasMedia: isList(parts) && parts.length > 0 };
}

const isFailed = (/** @type {any} */ { response }) => response?.error !== undefined && response?.error !== null;

module.exports = gemini;
