// @ts-check
'use strict';

/**
 * The AI SDK's `ModelMessage`: calls are parts of an assistant message, results are parts of the tool messages behind it.
 * A call that waits for approval, or that the provider runs, needs no result. UI messages are another form: the SDK's own
 * `convertToModelMessages` makes these of them.
 */

const { isList } = require('../../lists.js');
const { seenAsJson, seenIn } = require('../contents.js');
const { changedList, copyOf, isSpreadable, replacedParts } = require('../copy.js');
const { cutContent, cutPart } = require('../cut-texts.js');
const { isFailedType } = require('../failure-marks.js');

/** @type {import('../dialect.js').Dialect} */
const aiSdk = {
  fields: ['role', 'content', 'providerOptions', 'experimental_providerMetadata'],

  reads: (message) => isList(message.content),

  read(message, reader) {
    const { role, content } = message;
    if (role === 'assistant') return reader.model(callsIn(content));
    if (role !== 'tool') reader.interrupt();
    content.forEach((/** @type {any} */ part, /** @type {number} */ at) => {
      if (part?.type !== 'tool-result') return;
      const id = reader.inPlace(part.toolCallId);
      reader.result({ id, held: part, look: seenInPart, failed: isFailed(part), part: at });
    });
    reader.other();
  },

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      const { role, content, timestamp } = message;
      if (!isList(content) || !table.isAt(index, message, role, content.length)) return index;
      const row = table.rowAt(index);
      if (role === 'assistant') {
        if (!sameCalls(row, content)) return index;
      } else if (!row.isTimed(message, timestamp) || !sameResults(table, index, content)) return index;
    }
    return end;
  },

  replace(message, texts) {
    const content = replacedParts(message.content, texts, replaced);
    return isSpreadable(message) ? { ...message, content } : copyOf(message, { content });
  },

  without(message, parts) {
    const content = changedList(message.content, (part, at) => (parts.has(at) ? undefined : part));
    return content.length === 0 ? undefined : copyOf(message, { content });
  },

  tidy(outcome) {
    const gone = new Set();
    for (const message of outcome.removed()) {
      for (const part of message?.role === 'assistant' && isList(message.content) ? message.content : []) {
        if (part?.type === 'tool-approval-request') gone.add(part.approvalId);
      }
    }
    if (gone.size === 0) return;
    outcome.each((index, message) => {
      if (message?.role !== 'tool' || !isList(message.content)) return;
      const answers = (/** @type {any} */ part) => part?.type === 'tool-approval-response' && gone.has(part.approvalId);
      if (!message.content.some(answers)) return;
      const content = changedList(message.content, (part) => (answers(part) ? undefined : part));
      if (content.length === 0) outcome.remove(index);
      else outcome.set(index, copyOf(message, { content }));
    });
  },

  answer(outcome, index, calls, text) {
    const results = calls.map(({ id, name }) => {
      return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'error-text', value: text } };
    });
    const next = outcome.at(index + 1);
    if (next?.role !== 'tool' || !isList(next.content)) {
      return outcome.insert(index, [{ role: 'tool', content: results }]);
    }
    outcome.set(index + 1, copyOf(next, { content: [...next.content, ...results] }));
  },

  count(message, found) {
    for (const part of isList(message.content) ? message.content : []) {
      if (part?.type === 'tool-call') {
        found.call({ name: part.toolName, input: part.input ?? part.args });
      } else if (part?.type === 'tool-result') countResult(part, found);
      else found.part(part);
    }
  },

  say({ role, content }, said) {
    said.role = role === 'system' || role === 'user' || role === 'assistant' || role === 'tool' ? role : 'other';
    for (const part of content) sayPart(part, said);
  },

  cut: ({ role, content }, shorter) => ({
    content: content.map((/** @type {any} */ part) => {
      if (part?.type !== 'tool-result') return cutPart(part, false, shorter);
      // What the provider's own tool has put out goes back to it as it was.
      return role === 'tool' ? cutResult(part, shorter) : part;
    }),
  }),
};

/** @param {any} part @param {import('../dialect.js').Said} said */
function sayPart(part, said) {
  const { type, toolName, toolCallId } = part ?? {};
  const input = part?.input ?? part?.args;
  if (type === 'tool-call') {
    if (part.providerExecuted !== true) return said.call(toolCallId, toolName, input);
    said.text(toolName);
    said.content(input);
  } else if (type === 'tool-result') {
    const content = contentOf(part);
    if (said.role === 'tool') said.result(toolCallId, content, isFailed(part));
    else said.content(content);
  } else if (type === 'tool-approval-response') {
    said.isJoined = true;
    said.mark(part.approved === true ? 'approved' : 'denied');
    said.text(part.reason);
  } else if (type !== 'tool-approval-request') said.part(part);
}

/** @param {any} part @returns {unknown} */
function contentOf({ output, result }) {
  if (output === undefined) return result;
  return output?.type === 'execution-denied' ? (output.reason ?? '[denied]') : output?.value;
}

/** @param {any} part @param {import('../cut-texts.js').Shorter} shorter */
function cutResult(part, shorter) {
  const { output } = part;
  if (output === undefined) return copyOf(part, { result: cutValue(part.result, shorter) });
  if (output?.type === 'content') {
    return copyOf(part, { output: copyOf(output, { value: cutContent(output.value, true, shorter) }) });
  }
  if (!('value' in output)) return part;
  const value = cutValue(output.value, shorter);
  if (value === output.value) return part;
  // A value that was JSON is text from then on.
  const type = output.type === 'error-json' || output.type === 'error-text' ? 'error-text' : 'text';
  return copyOf(part, { output: copyOf(output, { type, value }) });
}

/** @param {unknown} value @param {import('../cut-texts.js').Shorter} shorter @returns {unknown} itself where nothing is cut */
function cutValue(value, shorter) {
  const text = seenAsJson(value)?.text ?? '';
  const cut = cutContent(text, true, shorter);
  return cut === text ? value : cut;
}

/** @param {import('../row.js').AnyRow} row @param {readonly any[]} content */
function sameCalls(row, content) {
  let nth = 0;
  for (let at = 0; at < content.length; at++) {
    const part = content[at];
    const type = part?.type;
    if (type === 'tool-approval-request') return false;
    if (type !== 'tool-call') continue;
    const settled = part.providerExecuted === true;
    if (!row.isStillCall(nth++, part.toolCallId, part.toolName, part.input ?? part.args, at, settled)) return false;
  }
  return row.hasCalls(nth);
}

/** @param {import('../dialect.js').Table} table @param {number} index @param {readonly any[]} content */
function sameResults(table, index, content) {
  let nth = 0;
  for (let at = 0; at < content.length; at++) {
    const part = content[at];
    if (part?.type !== 'tool-result') continue;
    if (!table.rowAt(index, nth++)?.isStillResult(part.toolCallId, part, isFailed(part), at)) return false;
  }
  return table.areResults(index, nth);
}

/** @param {readonly any[]} content */
function callsIn(content) {
  /** @type {import('../row.js').ReadCall[]} */
  const calls = [];
  /** @type {Set<unknown>} */
  const awaited = new Set();
  for (const part of content) if (part?.type === 'tool-approval-request') awaited.add(part.toolCallId);
  content.forEach((part, at) => {
    if (part?.type !== 'tool-call') return;
    const { toolCallId: id, toolName: name, providerExecuted } = part;
    const settled = providerExecuted === true || awaited.has(id);
    calls.push({ id, name, arguments: part.input ?? part.args, settled, at });
  });
  return calls;
}

/** @param {any} part @returns {import('../contents.js').Seen | undefined} */
function seenInPart({ output, result }) {
  // Version 4 had the value itself.
  if (output === undefined) return seenAsJson(result);
  if (output?.type === 'text' || output?.type === 'error-text') return seenIn(output.value);
  if (output?.type === 'json' || output?.type === 'error-json') return seenAsJson(output.value);
  return output?.type === 'content' ? seenIn(output.value) : undefined;
}

/** @param {any} part */
function isFailed({ output, isError }) {
  return isFailedType(output?.type) || isError === true;
}

/** @param {any} part @param {string} text */
function replaced(part, text) {
  if (part.output === undefined) return copyOf(part, { result: text });
  const { providerOptions } = part.output;
  const output = providerOptions ? { type: 'text', value: text, providerOptions } : { type: 'text', value: text };
  return isSpreadable(part) ? { ...part, output } : copyOf(part, { output });
}

/** @param {any} part @param {import('../dialect.js').Found} found */
function countResult(part, found) {
  const { output } = part;
  if (output?.type === 'content') found.content(output.value);
  else if (output?.type === 'execution-denied') found.content(output.reason);
  else {
    const seen = seenInPart(part);
    if (seen === undefined) found.visible(output);
    else found.content(seen.text);
  }
}

module.exports = aiSdk;
