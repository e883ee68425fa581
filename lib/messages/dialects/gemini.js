// @ts-check
'use strict';

/**
 * Gemini's `Content`: calls and responses are parts, and most have no id. The responses stand in the content right
 * behind the calls, as many as there are calls; without ids, order and name say which answers which.
 */

const { isList } = require('../../lists.js');
const { seenAsJson } = require('../contents.js');
const { changedList, copyOf, isSpreadable, replacedParts } = require('../copy.js');
const { cutContent, cutPart } = require('../cut-texts.js');

/** @type {import('../dialect.js').Dialect} */
const gemini = {
  fields: ['role', 'parts'],

  reads: (message) => isList(message.parts),

  read(message, reader) {
    const { role, parts } = message;
    if (role === 'model') return reader.model(callsIn(parts, reader));
    const responses = parts.some((/** @type {any} */ part) => part?.functionResponse !== undefined);
    if (!responses) reader.interrupt();
    parts.forEach((/** @type {any} */ part, /** @type {number} */ at) => {
      const response = part?.functionResponse;
      if (response === null || typeof response !== 'object') return;
      const { id: given, name } = response;
      const id = given === undefined || given === null ? reader.idOfNext(name) : reader.inPlace(given);
      reader.result({ id, held: response, look: seenInResponse, failed: isFailed(response), part: at });
    });
    reader.other();
  },

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, parts, timestamp } = message;
      if (!isList(parts) || !table.isAt(index, message, role, parts.length)) return index;
      const row = table.rowAt(index);
      if (role === 'model') {
        if (!sameCalls(row, parts)) return index;
      } else if (!row.isTimed(message, timestamp) || !sameResults(table, index, parts)) return index;
    }
    return end;
  },

  replace(message, texts) {
    const parts = replacedParts(message.parts, texts, replaced);
    return isSpreadable(message) ? { ...message, parts } : copyOf(message, { parts });
  },

  without(message, gone) {
    const parts = changedList(message.parts, (part, at) => (gone.has(at) ? undefined : part));
    return parts.length === 0 ? undefined : copyOf(message, { parts });
  },

  answer(outcome, index, calls, text) {
    const own = outcome.at(index).parts;
    const next = outcome.at(index + 1);
    const isNext = next?.role !== 'model' && isList(next?.parts);
    const given = isNext ? next.parts.filter(isResponse) : [];
    const rest = isNext ? next.parts.filter((/** @type {any} */ part) => !isResponse(part)) : [];
    const missing = new Set(calls.map(({ at }) => at));
    /** @type {any[]} */
    const responses = [];
    own.forEach((/** @type {any} */ part, /** @type {number} */ at) => {
      if (part?.functionCall === undefined) return;
      if (!missing.has(at)) {
        responses.push(given.shift());
        return;
      }
      const { id, name } = part.functionCall;
      const response = { ...(id !== undefined && { id }), name, response: { error: text } };
      responses.push({ functionResponse: response });
    });
    const parts = [...responses.filter((part) => part !== undefined), ...given, ...rest];
    if (isNext) outcome.set(index + 1, copyOf(next, { parts }));
    else outcome.insert(index, [{ role: 'user', parts }]);
  },

  count(message, found) {
    for (const part of isList(message.parts) ? message.parts : []) {
      if (part?.functionCall) found.call({ name: part.functionCall.name, input: part.functionCall.args });
      else if (part?.functionResponse) countResponse(part.functionResponse, found);
      else if (part?.executableCode) found.content(part.executableCode.code);
      else if (part?.codeExecutionResult) found.content(part.codeExecutionResult.output);
      else found.part(part);
    }
  },

  // Each signature stands on the part that it is of, and no step wants that of another: nothing is marked as thinking.
  say({ role, parts }, said) {
    said.role = ROLES.get(role) ?? 'other';
    for (const part of parts) sayPart(part, said);
  },

  cut: ({ parts }, shorter) => ({
    parts: parts.map((/** @type {any} */ part) =>
      isResponse(part) ? cutResponse(part, shorter) : cutPart(part, false, shorter),
    ),
  }),

  makeText: (text) => ({ role: 'user', parts: [{ text }] }),

  merged(contents, isOurs) {
    /** @type {any[]} */
    const merged = [];
    let hasOurs = false;
    for (const content of contents) {
      const last = merged.at(-1);
      const isSameSide =
        merged.length > 0 && last?.role === content?.role && isList(last?.parts) && isList(content?.parts);
      const isOwn = isOurs(content);
      if (!isSameSide || !(hasOurs || isOwn)) {
        merged.push(content);
        hasOurs = isOwn;
        continue;
      }
      merged[merged.length - 1] = copyOf(last, { parts: [...last.parts, ...content.parts] });
      hasOurs = true;
    }
    return merged;
  },
};

/** @type {Map<unknown, import('../said.js').Role>} */
const ROLES = new Map([
  ['user', 'user'],
  // Contents without a role are the user's.
  [undefined, 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['system', 'system'],
]);

/** @param {any} part @param {import('../dialect.js').Said} said */
function sayPart(part, said) {
  const { functionCall: call, functionResponse: response, executableCode: code, codeExecutionResult: run } = part ?? {};
  if (call) said.call(call.id ?? said.callIds.next(call.name), call.name, call.args);
  else if (response) {
    const content = seenInResponse(response)?.text;
    said.result(response.id ?? said.callIds.answered(response.name), content, isFailed(response));
    for (const media of isList(response.parts) ? response.parts : []) sayMedia(media, said);
  } else if (code) said.text(code.code);
  else if (run) said.text(run.output);
  else if (part?.thought !== true) {
    said.part(part);
    sayMedia(part, said);
  }
}

/** @param {any} part @param {import('../dialect.js').Said} said */
function sayMedia(part, said) {
  const data = part?.inlineData ?? part?.fileData;
  if (data) said.mark(String(data.mimeType).startsWith('image/') ? 'image' : 'file');
}

/** @param {any} part @param {import('../cut-texts.js').Shorter} shorter */
function cutResponse(part, shorter) {
  const { functionResponse: response } = part;
  const text = seenInResponse(response)?.text ?? '';
  const cut = cutContent(text, true, shorter);
  if (cut === text) return part;
  const field = isFailed(response) ? 'error' : 'output';
  return copyOf(part, { functionResponse: copyOf(response, { response: { [field]: cut } }) });
}

/** @param {import('../row.js').AnyRow} row @param {readonly any[]} parts */
function sameCalls(row, parts) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const call = parts[at]?.functionCall;
    if (call === null || typeof call !== 'object') continue;
    const known = row.tool_calls?.[nth]?.id;
    const id = isIdOf(known, call.id, call.name) ? known : undefined;
    if (!row.isStillCall(nth++, id, call.name, call.args, at)) return false;
  }
  return row.hasCalls(nth);
}

/** @param {import('../dialect.js').Table} table @param {number} index @param {readonly any[]} parts */
function sameResults(table, index, parts) {
  let nth = 0;
  for (let at = 0; at < parts.length; at++) {
    const response = parts[at]?.functionResponse;
    if (response === undefined) continue;
    if (response === null || typeof response !== 'object') return false;
    const row = table.rowAt(index, nth++);
    const id = isIdOf(row?.tool_call_id, response.id, response.name) ? row.tool_call_id : response.id;
    if (!row?.isStillResult(id, response, isFailed(response), at)) return false;
  }
  return table.areResults(index, nth);
}

/** Whether an id is the one given, or ours for a tool of that name where none is. @param {any} id @param {any} given @param {any} name */
function isIdOf(id, given, name) {
  if (given !== undefined && given !== null) return id === given;
  if (typeof id !== 'string') return false;
  return typeof name === 'string' ? id.startsWith(name) && id.charCodeAt(name.length) === 0 : id.charCodeAt(0) === 0;
}

/** @param {any} part */
function isResponse(part) {
  return part?.functionResponse !== undefined;
}

/** @param {readonly any[]} parts @param {import('../dialect.js').Reader} reader */
function callsIn(parts, reader) {
  /** @type {import('../row.js').ReadCall[]} */
  const calls = [];
  // A turn must be open before its calls are given names of ours.
  reader.speak();
  parts.forEach((part, at) => {
    const call = part?.functionCall;
    if (call === null || typeof call !== 'object') return;
    const id = call.id ?? reader.idFor(call.name, at);
    calls.push({ id, name: call.name, arguments: call.args, settled: false, at });
  });
  return calls;
}

/** Keys under which a response says what went wrong, or what came out. */
const OUTPUT = ['output', 'result'];

/** @param {any} response @returns {import('../contents.js').Seen | undefined} */
function seenInResponse({ response, parts }) {
  if (response === null || typeof response !== 'object') return undefined;
  const keys = Object.keys(response);
  const only = keys.length === 1 ? keys[0] : undefined;
  const seen = seenAsJson(only !== undefined && OUTPUT.includes(only) ? response[only] : response);
  return seen === undefined ? undefined : { text: seen.text, hasMedia: isList(parts) && parts.length > 0 };
}

/** @param {any} response */
function isFailed({ response }) {
  return response?.error !== undefined && response?.error !== null;
}

/** @param {any} part @param {string} text */
function replaced(part, text) {
  const functionResponse = replacedResponse(part.functionResponse, { output: text });
  return isSpreadable(part) ? { ...part, functionResponse } : copyOf(part, { functionResponse });
}

/** @param {any} given @param {{ output: string }} response */
function replacedResponse(given, response) {
  const copy = isSpreadable(given) ? { ...given, response } : copyOf(given, { response });
  if (isList(copy.parts)) delete copy.parts;
  return copy;
}

/** @param {any} response @param {import('../dialect.js').Found} found */
function countResponse(response, found) {
  const seen = seenInResponse(response);
  found.content(response.name);
  if (seen !== undefined) found.content(seen.text);
  found.content(response.parts);
}

module.exports = gemini;
