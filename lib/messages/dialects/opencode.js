// @ts-check
'use strict';

/**
 * opencode's stored messages, `{info, parts}`: a `tool` part is a call and, once it has ended, its result. If a result was cleared
 * (`time.compacted`), opencode sends its own line instead. opencode also adds results for interrupted calls.
 */

const { isList } = require('../../lists.js');
const { changedCopy, copyOf } = require('../copy.js');
const { cutContent } = require('../parts.js');
const { replaceIn, sameCalls, withoutParts } = require('../part-list.js');

/** @typedef {any} State the `state` of a tool part, which has its result */

/** Texts that opencode sends in place of parts of its own in a user message. */ const PART_TEXTS = new Map([
  ['compaction', 'What did we do so far?'],
  ['subtask', 'The following tool was executed by the user'],
]);

/** Files whose text is in another part. */ const INLINED = new Set(['text/plain', 'application/x-directory']);

/** @type {import('../parts.js').ResultForm} */ const RESULT = {
  read: (state) => {
    const text = textOf(state);
    return typeof text === 'string' ? { text, hasMedia: attachmentsOf(state).length > 0 } : undefined;
  },
  textIn: (state) => (state.attachments === undefined ? textOf(state) : undefined),
  content: (state) =>
    state.attachments === undefined ? textOf(state) : [textOf(state), ...attachmentsOf(state).map(mediaOf)],
  cut: (part, shorten) => replaced(part, cutContent(textOf(part.state), true, shorten), false),
};

/** A result that opencode has cleared. @type {import('../parts.js').ResultForm} */
const CLEARED = { read: () => undefined, content: () => undefined };

/** @type {import('../choice.js').Dialect} */ const opencode = {
  fields: null,
  hasResultsWithCalls: true,
  roleOf: ({ info }) => (info.role === 'user' || info.role === 'assistant' ? info.role : 'other'),
  canRead: ({ info, parts }) => typeof info === 'object' && info !== null && isList(parts),

  read({ info, parts: list }, parts) {
    const role = opencode.roleOf?.({ info }) ?? 'other';
    parts.setRole(role);
    parts.field = 'parts';
    if (!isSent(info, list)) return;
    const readPart = role === 'assistant' ? readAssistantPart : readUserPart;
    parts.each('parts', list, (part, at) => readPart(part, at, parts));
  },

  timeOf,

  providerView: (message) => {
    const { info, parts } = message;
    return { ...message, info: info.role, parts: isSent(info, parts) ? parts.flatMap(providerViewOf) : [] };
  },

  isUnchanged(table, index, message) {
    const { info, parts } = message;
    if (!isList(parts) || !table.isAt(index, message, undefined, parts.length)) return false;
    const row = table.rowAt(index);
    if (!Object.is(timeOf(message), row.timestamp)) return false;
    if (info.role !== 'assistant') return row.role === 'other';
    const sentParts = isSent(info, parts) ? parts : [];
    return sameCalls(row, sentParts, isStillCall) && sameResults(table, index, sentParts);
  },

  replace: replaceIn('parts', (part, text) => replaced(part, text, true)),
  without: (message, removed) => withoutParts(message, 'parts', removed),

  // A call is also its result: of calls with the same id, one without a result is removed, if there is one.
  withoutCalls(message, calls) {
    const removed = calls.map(({ id, at }) => {
      if (!hasEnded(message.parts[at]?.state)) return at;
      const isSame = (/** @type {any} */ part) => part?.type === 'tool' && part.callID === id;
      const unended = message.parts.findIndex((/** @type {any} */ part) => isSame(part) && !hasEnded(part.state));
      return unended < 0 ? at : unended;
    });
    return withoutParts(message, 'parts', new Set(removed));
  },

  addResults(outcome, index, calls, text) {
    const withResults = replaceIn('parts', (part, error) => {
      const { input = {}, time } = part.state ?? {};
      return copyOf(part, { state: { status: 'error', input, error, ...(time !== undefined && { time }) } });
    });
    outcome.set(index, withResults(outcome.at(index), new Map(calls.map(({ at }) => [at, text]))));
  },

  makeText(text, conversation, now) {
    const { sessionID, agent, model } = conversation.findLast((each) => each?.info?.role === 'user')?.info ?? {};
    const id = `msg_${now}`;
    return {
      info: { id, sessionID, role: 'user', time: { created: now }, agent, model },
      parts: [{ id: `prt_${now}`, sessionID, messageID: id, type: 'text', text }],
    };
  },
};

/** @param {any} part @param {number} at @param {import('../choice.js').Parts} parts */
function readAssistantPart(part, at, parts) {
  const type = part?.type;
  if (type === 'text' || type === 'reasoning') return parts.part(part, at);
  if (type !== 'tool') return;
  const { callID: id, tool: name, state, metadata } = part;
  const isProviders = metadata?.providerExecuted === true;
  const input = state?.input;
  const quoted = isProviders ? [name, input] : undefined;
  parts.call({ id, name, arguments: input, at, settled: isProviders, quoted });
  if (isProviders && hasEnded(state)) parts.unchangeableCount++;
  if (hasEnded(state)) parts.result({ id, source: state, at, failed: isFailed(state), isProviders }, formFor(state));
}

/** @param {any} part @param {number} at @param {import('../choice.js').Parts} parts */
function readUserPart(part, at, parts) {
  const { type } = part ?? {};
  if (type === 'text') {
    if (part.ignored !== true) parts.part(part, at);
  } else if (type === 'file') {
    if (!INLINED.has(part.mime)) parts.part(mediaOf(part));
  } else if (PART_TEXTS.has(type)) parts.part(PART_TEXTS.get(type));
}

/** False for a failed assistant message, unless the user interrupted it after some content. @param {any} info @param {readonly any[]} parts */
function isSent({ role, error }, parts) {
  if (role !== 'assistant' || error === undefined || error === null) return true;
  const isContent = (/** @type {any} */ part) => part?.type !== 'step-start' && part?.type !== 'reasoning';
  return error.name === 'MessageAbortedError' && parts.some(isContent);
}

/** When an assistant message, and with it its results, was complete. @param {any} message @returns {number} */
function timeOf({ info }) {
  const { completed, created } = info.time ?? {};
  const time = completed ?? created;
  return typeof time === 'number' ? time : Number.NaN;
}

const hasEnded = (/** @type {State} */ state) => state?.status === 'completed' || state?.status === 'error';
const isFailed = (/** @type {State} */ { status }) => status === 'error';
/** @param {State} state @returns {readonly any[]} */
const attachmentsOf = ({ status, attachments }) => (status === 'completed' && isList(attachments) ? attachments : []);

/** A file in the common form for counting. @param {any} file */
function mediaOf(file) {
  const { mime, url } = file ?? {};
  const isImage = typeof mime === 'string' && mime.startsWith('image/');
  return { type: isImage ? 'image' : 'file', mimeType: mime, data: url };
}

/** @param {State} state */
const isCleared = ({ status, time }) => status === 'completed' && typeof time?.compacted === 'number';
const formFor = (/** @type {State} */ state) => (isCleared(state) ? CLEARED : RESULT);

/** The fields of a part that a provider sees, without those that opencode adds later. @param {any} part @returns {unknown[]} */
function providerViewOf(part) {
  const { type, text, ignored, mime, url, callID, tool, state } = part ?? {};
  if (type === 'text') return ignored === true ? [] : [text];
  if (type === 'reasoning') return [[text, part.metadata]];
  if (type === 'file') return INLINED.has(mime) ? [] : [[mime, url]];
  if (type !== 'tool') return PART_TEXTS.has(type) ? [type] : [];
  const isEnded = hasEnded(state);
  const hasResult = isEnded && !isCleared(state);
  const result = hasResult ? [state.status, textOf(state), attachmentsOf(state).map(mediaOf)] : isEnded;
  return [[callID, tool, state?.input, result]];
}

/** @type {import('../part-list.js').IsStill} */
function isStillCall(row, nth, part, at) {
  if (part?.type !== 'tool') return undefined;
  const settled = part.metadata?.providerExecuted === true;
  return row.isStillCall(nth, part.callID, part.tool, part.state?.input, at, settled);
}

/** True if the rows after the row of calls still are the same results. @param {import('../choice.js').Table} table @param {number} index @param {readonly any[]} parts */
function sameResults(table, index, parts) {
  let nth = 1;
  for (let at = 0; at < parts.length; at++) {
    const { type, callID, state, metadata } = parts[at] ?? {};
    if (type !== 'tool' || !hasEnded(state) || metadata?.providerExecuted === true) continue;
    const row = table.rowAt(index, nth++);
    if (row?.form !== formFor(state) || !row.isStillResult(callID, state, isFailed(state), at)) return false;
  }
  return table.hasResults(index, nth);
}

/** True for an interrupted command whose output so far is sent. @param {State} state */
const isOutputOfInterrupted = ({ metadata }) => metadata?.interrupted === true && typeof metadata.output === 'string';

/** The result's text. @param {State} state */
function textOf(state) {
  if (state.status === 'completed') return state.output;
  return isOutputOfInterrupted(state) ? state.metadata.output : state.error;
}

/** A copy with another result text. @param {any} part @param {string} text @param {boolean} removesAttachments */
function replaced(part, text, removesAttachments) {
  const { state } = part;
  const removed = removesAttachments ? ['attachments'] : [];
  if (state.status === 'completed') return copyOf(part, { state: changedCopy(state, removed, { output: text }) });
  const changes = isOutputOfInterrupted(state)
    ? { metadata: copyOf(state.metadata, { output: text }) }
    : { error: text };
  return copyOf(part, { state: copyOf(state, changes) });
}

module.exports = { opencode, replaced, textOf };
