// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { isObject } = require('../../plain-data.js');

/**
 * LangChain's messages: instances of `BaseMessage`, their `structuredClone`, and the stored forms `{lc: 1, kwargs}` and `{type, data}`. Results
 * must be directly after the message with their calls. Copies of instances are instances.
 *
 * Instances accept extra fields only in `additional_kwargs`, which every stored form has and no model is sent.
 */

const { isDataOnly, changedCopy, copyOf, isSpreadable } = require('../copy.js');
const { sameCalls } = require('../first-changed.js');
const { OWN_FIELDS } = require('../own-field-names.js');
const { timeOf } = require('../time.js');
const { instanceLike } = require('./langchain-classes.js');

/** @type {readonly any[]} */
const NO_CALLS = Object.freeze([]);
/** Class names in the JSON. @type {Map<unknown, string>} */
const TYPES = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['ToolMessage', 'tool'],
]);
const KINDS = new Set(TYPES.values());
/** @type {Map<unknown, import('../parts.js').Role>} */
const ROLES = new Map([
  ['system', 'system'],
  ['human', 'user'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
]);

/** @type {import('../dialect.js').Dialect} */
const langchain = {
  fields: null,

  // `lc_kwargs` has the constructor's arguments, which may be outdated. A graph gives a message without an id a new one at every request.
  redundantFields: (message) => (isInstance(message) ? ['lc_kwargs', 'id'] : ['lc_kwargs']),

  roleOf: (message) => ROLES.get(typeOf(message)) ?? 'other',

  needsResultsInTurn: true,

  canRead: (message) => typeOf(message) !== undefined,

  read(message, parts) {
    const type = typeOf(message);
    const fields = fieldsOf(message);
    const { content, name, tool_call_id, status, additional_kwargs: more } = fields;
    parts.setRole(ROLES.get(type) ?? 'other');
    const calls = type === 'ai' && isList(fields.tool_calls) ? fields.tool_calls : [];
    if (type === 'tool') parts.result({ id: tool_call_id, source: content, at: -1, failed: status === 'error' });
    else {
      if (type !== 'ai') parts.interrupt();
      if (calls.length === 0 || !isList(content)) parts.content(content);
      else parts.each('content', content, (part, at) => readBesideCalls(part, at, parts));
    }
    if (typeof name === 'string') parts.add('counted', name);
    calls.forEach((/** @type {any} */ call, /** @type {number} */ at) => {
      parts.call({ id: call?.id, name: call?.name, arguments: call?.args, at });
    });
    if (type !== 'ai') return;
    if (isList(content)) parts.unchangeableCount += content.filter(isServerResult).length;
    if (typeof more?.reasoning_content === 'string') parts.hasThinking = true;
    parts.add('quoted', more?.refusal);
  },

  timeOf: langchainTime,

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      if (table.readObjects[index] !== message) return index;
      const row = table.rowAt(index);
      // Calling the instance's own `getType` is faster: this runs over every message before every request.
      const isOwn = typeof message.getType === 'function';
      const type = isOwn ? message.getType() : typeOf(message);
      const fields = isOwn ? message : fieldsOf(message);
      if (type === 'tool') {
        const { tool_call_id: id, content, status } = fields;
        if (!row.isStillResult(id, content, status === 'error', -1)) return index;
        if (message.timestamp !== row.timestamp && !Object.is(timeOfEither(message, fields), row.timestamp))
          return index;
      } else if (type === 'ai') {
        const calls = fields.tool_calls;
        if (!sameCalls(row, isList(calls) ? calls : NO_CALLS, isStillCall)) return index;
      } else if (row.role !== 'other') return index;
    }
    return end;
  },

  replace: (message, texts) => withContent(message, /** @type {string} */ (texts.get(-1))),

  withoutCalls(message, calls) {
    const { tool_calls: declared, content } = fieldsOf(message);
    const removed = new Set(calls.map(({ at }) => at));
    const isLeft = (/** @type {any} */ _, /** @type {number} */ at) => !removed.has(at);
    const left = { tool_calls: declared.filter(isLeft) };
    if (!isList(content)) return withFields(message, left);
    // Anthropic's model also has the calls in the content, in the same order.
    let nth = -1;
    const isKept = (/** @type {any} */ part) => part?.type !== 'tool_use' || !removed.has(++nth);
    const uses = content.filter((/** @type {any} */ part) => part?.type === 'tool_use').length;
    return withFields(message, uses === declared.length ? { ...left, content: content.filter(isKept) } : left);
  },

  addResults(outcome, index, calls, text) {
    let last = index;
    while (typeOf(outcome.messages[last + 1]) === 'tool') last++;
    const message = outcome.messages[index];
    const known = outcome.messages.find((each) => typeOf(each) === 'tool' && isInstance(each));
    const answers = calls.map(({ id, name }) => {
      const fields = { content: text, tool_call_id: id, name, status: 'error' };
      if (!isInstance(message)) return stored(message, 'ToolMessage', fields);
      return known === undefined ? instanceLike(message, 'tool', fields) : new known.constructor(fields);
    });
    outcome.insert(last, answers);
  },

  makeText(text, conversation) {
    const like = conversation.find((message) => typeOf(message) !== undefined);
    const fields = { content: text, additional_kwargs: {}, response_metadata: {} };
    if (!isInstance(like)) return stored(like, 'HumanMessage', fields);
    const known = conversation.find((message) => typeOf(message) === 'human' && isInstance(message));
    return known === undefined ? instanceLike(like, 'human', fields) : new known.constructor(fields);
  },

  fieldAccess: {
    own: (message) => fieldsOf(message).additional_kwargs,

    fields: fieldsOf,

    reports(message) {
      const fields = fieldsOf(message);
      return [fields, fields.response_metadata];
    },

    without(message, names) {
      const { response_metadata: metadata, ...fields } = fieldsOf(message);
      const given = (/** @type {any} */ value) => names.filter((name) => (value?.[name] ?? undefined) !== undefined);
      /** @type {Record<string, unknown>} */
      const left = Object.fromEntries(given(fields).map((name) => [name, undefined]));
      const reported = given(metadata);
      if (reported.length > 0) left.response_metadata = changedCopy(metadata, reported, {});
      return left;
    },

    copy(message, without, changes) {
      const own = (/** @type {string} */ field) => OWN.has(field);
      const next = Object.fromEntries(Object.entries(changes).filter(([field]) => !own(field)));
      for (const field of without) if (!own(field)) next[field] = undefined;
      const kept = fieldsOf(message).additional_kwargs;
      const ours = Object.fromEntries(Object.entries(changes).filter(([field]) => own(field)));
      const removed = without.filter(own);
      if (removed.length > 0 || Object.keys(ours).length > 0) next.additional_kwargs = withOwn(kept, removed, ours);
      return withFields(message, next);
    },
  },
};

/** True for the result of a tool that the provider runs. @param {any} part */
function isServerResult(part) {
  const type = part?.type;
  return typeof type === 'string' && (type.endsWith('_tool_result') || type === 'server_tool_call_result');
}

/** A content part of a message with calls; Anthropic's model repeats the calls there. @param {any} part @param {number} at @param {import('../dialect.js').Parts} parts */
function readBesideCalls(part, at, parts) {
  if (part?.type === 'tool_use') return parts.add('counted', part);
  parts.part(part, at);
}

const OWN = new Set(OWN_FIELDS);

/**
 * `additional_kwargs` with our own fields changed; undefined if it existed only for them.
 * @param {any} kept
 * @param {string[]} removed
 * @param {Record<string, any>} ours
 */
function withOwn(kept, removed, ours) {
  const { beforeCompression: before } = ours;
  if (kept === undefined && before !== undefined) ours = { ...ours, beforeCompression: { ...before, isBare: true } };
  const next = changedCopy(kept ?? {}, removed, ours);
  const wasBare = removed.includes('beforeCompression') && kept?.beforeCompression?.isBare === true;
  return wasBare && Object.keys(next).length === 0 ? undefined : next;
}

/** @param {any} message */
function isInstance(message) {
  return typeof message.getType === 'function' || typeof message._getType === 'function';
}

/** @param {any} message @returns {unknown} undefined if it is neither an instance nor a stored form */
function typeOf(message) {
  if (message === null || typeof message !== 'object') return undefined;
  if (typeof message.getType === 'function') return message.getType();
  if (typeof message._getType === 'function') return message._getType();
  const { lc, id, kwargs, type, data, content } = message;
  if (lc === 1) return Array.isArray(id) && isObject(kwargs) ? TYPES.get(id.at(-1)) : undefined;
  const isKept = isContent(content) || isContent(data?.content);
  return isKept && KINDS.has(type) ? type : undefined;
}

/** @param {unknown} content */
function isContent(content) {
  return typeof content === 'string' || isList(content);
}

/** @param {any} message */
function fieldsOf(message) {
  const holder = holderOf(message);
  return holder === undefined ? message : (message[holder] ?? message);
}

/** Name of the field that has the message's fields in a stored form. @param {any} message @returns {'kwargs' | 'data' | undefined} */
function holderOf(message) {
  if (isInstance(message)) return undefined;
  if (message.lc === 1) return 'kwargs';
  return isContent(message.data?.content) ? 'data' : undefined;
}

/** @param {any} message @returns {number} */
function langchainTime(message) {
  return timeOfEither(message, fieldsOf(message));
}

/** Applications can add fields to instances only in the last three places. @param {any} message @param {any} fields @returns {number} */
function timeOfEither(message, fields) {
  let time = timeOf(message);
  if (Number.isNaN(time) && fields !== message) time = timeIn(fields);
  if (Number.isNaN(time)) time = timeIn(fields.additional_kwargs);
  if (Number.isNaN(time)) time = timeIn(fields.response_metadata);
  return Number.isNaN(time) ? timeIn(fields.metadata) : time;
}

/** @param {any} value @returns {number} */
function timeIn(value) {
  return value !== null && typeof value === 'object' ? timeOf(value) : Number.NaN;
}

/** @type {import('../first-changed.js').IsStill} */
function isStillCall(row, _, call, at) {
  return row.isStillCall(at, call?.id, call?.name, call?.args, at);
}

/** @param {any} message @param {string} content */
function withContent(message, content) {
  const { lc_kwargs: written, kwargs } = message;
  if (
    isInstance(message) &&
    isObject(written) &&
    'content' in written &&
    isDataOnly(message) &&
    isSpreadable(written)
  ) {
    const copy = { ...message, content, lc_kwargs: { ...written, content } };
    return Object.setPrototypeOf(copy, Object.getPrototypeOf(message));
  }
  if (holderOf(message) === 'kwargs' && isSpreadable(message) && isSpreadable(kwargs)) {
    return { ...message, kwargs: { ...kwargs, content } };
  }
  return withFields(message, { content });
}

/**
 * Also changes `lc_kwargs`, which LangChain writes to JSON.
 * @param {any} message
 * @param {Record<string, unknown>} changes undefined removes a field
 */
function withFields(message, changes) {
  const holder = holderOf(message);
  if (holder !== undefined) return copyOf(message, { [holder]: changedFields(message[holder], changes) });
  const { lc_kwargs: written } = message;
  const fields = Object.keys(changes);
  const isWritten = isObject(written) && Object.hasOwn(message, 'lc_kwargs');
  const present = isWritten ? fields.filter((field) => field in written) : [];
  if (present.length === 0) return copyOf(message, changes);
  const own =
    present.length === fields.length ? changes : Object.fromEntries(present.map((field) => [field, changes[field]]));
  return copyOf(message, { ...changes, lc_kwargs: copyOf(written, own) });
}

/** @param {any} fields @param {Record<string, unknown>} changes */
function changedFields(fields, changes) {
  const removed = Object.keys(changes).filter((field) => changes[field] === undefined);
  if (removed.length === 0) return copyOf(fields, changes);
  const left = Object.entries(changes).filter(([, value]) => value !== undefined);
  return changedCopy(fields, removed, Object.fromEntries(left));
}

/** A message in the same stored form as `like`. @param {any} like @param {string} name of its class @param {object} fields */
function stored(like, name, fields) {
  if (like.lc !== 1) return { type: TYPES.get(name), ...(holderOf(like) === 'data' ? { data: fields } : fields) };
  return { ...like, id: [...like.id.slice(0, -1), name], kwargs: fields };
}

module.exports = langchain;
