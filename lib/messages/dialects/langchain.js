// @ts-check
'use strict';

/**
 * LangChain's messages: instances of `BaseMessage`, their `structuredClone`, and the stored forms `{lc: 1, kwargs}` and `{type, data}`. Results
 * must be directly after the message with their calls. Copies of instances are instances.
 *
 * Instances accept extra fields only in `additional_kwargs`, which every stored form has and no model is sent.
 */

const { isList } = require('../../lists.js');
const { isObject } = require('../../plain-data.js');
const { changedCopy, copyOf, isDataOnly, isSpreadable, OWN_FIELDS } = require('../copy.js');
const { sameCalls } = require('../part-list.js');
const { roleNames } = require('../parts.js');
const { timeOf } = require('../time.js');
const { instanceLike } = require('./langchain-classes.js');

/** @type {readonly any[]} */ const NO_CALLS = Object.freeze([]);
const CLASSES = {
  SystemMessage: 'system',
  HumanMessage: 'human',
  AIMessage: 'ai',
  AIMessageChunk: 'ai',
  ToolMessage: 'tool',
};
/** The type of each class, keyed by its name in JSON. @type {Map<unknown, string>} */
const TYPES = new Map(Object.entries(CLASSES));
const MESSAGE_TYPES = new Set(TYPES.values());
const ROLES = roleNames({ system: 'system', human: 'user', ai: 'assistant', tool: 'tool' });

/** @type {import('../dialect.js').Dialect} */ const langchain = {
  fields: null,

  // `lc_kwargs` has the constructor's arguments, which may be outdated. A graph gives a message without an id a new one at every request.
  redundantFields: (message) => (isInstance(message) ? ['lc_kwargs', 'id'] : ['lc_kwargs']),
  roleOf: (message) => ROLES.get(typeOf(message)) ?? 'other',
  needsResultsInTurn: true,
  canRead: (message) => typeOf(message) !== undefined,

  read(message, parts) {
    const type = typeOf(message);
    const fields = fieldsOf(message);
    const { content, name, tool_call_id, status, additional_kwargs: extras } = fields;
    parts.setRole(ROLES.get(type) ?? 'other');
    const calls = type === 'ai' && isList(fields.tool_calls) ? fields.tool_calls : [];
    if (type === 'tool') parts.result({ id: tool_call_id, source: content, at: -1, failed: status === 'error' });
    else {
      if (type !== 'ai') parts.otherSpeaks();
      if (calls.length === 0 || !isList(content)) parts.content(content);
      // Anthropic's model repeats the calls in the content.
      else
        parts.each('content', content, (part, at) =>
          part?.type === 'tool_use' ? parts.add('counted', part) : parts.part(part, at),
        );
    }
    if (typeof name === 'string') parts.add('counted', name);
    calls.forEach((/** @type {any} */ call, /** @type {number} */ at) => {
      parts.call({ id: call?.id, name: call?.name, arguments: call?.args, at });
    });
    if (type !== 'ai') return;
    // Results of tools that the provider runs.
    const isServers = (/** @type {any} */ { type }) =>
      typeof type === 'string' && /_tool_result$|^server_tool_call_result$/.test(type);
    if (isList(content)) parts.unchangeableCount += content.filter((part) => isServers(part ?? {})).length;
    if (typeof extras?.reasoning_content === 'string') parts.hasThinking = true;
    parts.add('quoted', extras?.refusal);
  },

  timeOf: (message) => timeOfEither(message, fieldsOf(message)),

  firstChanged(table, messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      if (table.readObjects[index] !== message) return index;
      const row = table.rowAt(index);
      // Calling the instance's own `getType` is faster: this runs over every message before every request.
      const hasGetType = typeof message.getType === 'function';
      const type = hasGetType ? message.getType() : typeOf(message);
      const fields = hasGetType ? message : fieldsOf(message);
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
    const changes = { tool_calls: declared.filter(isLeft) };
    if (!isList(content)) return withFields(message, changes);
    // Anthropic's model also has the calls in the content, in the same order.
    const isCall = (/** @type {any} */ part) => part?.type === 'tool_use';
    if (content.filter(isCall).length !== declared.length) return withFields(message, changes);
    let nth = 0;
    const isKept = (/** @type {any} */ part) => !isCall(part) || !removed.has(nth++);
    return withFields(message, { ...changes, content: content.filter(isKept) });
  },

  addResults(outcome, index, calls, text) {
    let last = index;
    while (typeOf(outcome.messages[last + 1]) === 'tool') last++;
    const message = outcome.messages[index];
    const example = outcome.messages.find((each) => typeOf(each) === 'tool' && isInstance(each));
    const results = calls.map(({ id, name }) => {
      const fields = { content: text, tool_call_id: id, name, status: 'error' };
      if (!isInstance(message)) return stored(message, 'ToolMessage', fields);
      return example === undefined ? instanceLike(message, 'tool', fields) : new example.constructor(fields);
    });
    outcome.insert(last, results);
  },

  makeText(text, conversation) {
    const like = conversation.find((message) => typeOf(message) !== undefined);
    const fields = { content: text, additional_kwargs: {}, response_metadata: {} };
    if (!isInstance(like)) return stored(like, 'HumanMessage', fields);
    const example = conversation.find((message) => typeOf(message) === 'human' && isInstance(message));
    return example === undefined ? instanceLike(like, 'human', fields) : new example.constructor(fields);
  },

  fieldAccess: {
    own: (message) => fieldsOf(message).additional_kwargs,
    fields: fieldsOf,

    reports(message) {
      const fields = fieldsOf(message);
      return [fields, fields.response_metadata];
    },

    changesWithoutUsage(message, names) {
      const { response_metadata: metadata, ...fields } = fieldsOf(message);
      const namesIn = (/** @type {any} */ value) => names.filter((name) => (value?.[name] ?? undefined) !== undefined);
      /** @type {Record<string, unknown>} */
      const changes = Object.fromEntries(namesIn(fields).map((name) => [name, undefined]));
      const namesInMetadata = namesIn(metadata);
      if (namesInMetadata.length > 0) changes.response_metadata = changedCopy(metadata, namesInMetadata, {});
      return changes;
    },

    copy(message, removed, changes) {
      const isAdded = (/** @type {string} */ field) => OWN_FIELDS.includes(field);
      const messageChanges = Object.fromEntries(Object.entries(changes).filter(([field]) => !isAdded(field)));
      for (const field of removed) if (!isAdded(field)) messageChanges[field] = undefined;
      const addedChanges = Object.fromEntries(Object.entries(changes).filter(([field]) => isAdded(field)));
      const removedAdded = removed.filter(isAdded);
      if (removedAdded.length > 0 || Object.keys(addedChanges).length > 0) {
        const extras = fieldsOf(message).additional_kwargs;
        messageChanges.additional_kwargs = changedExtras(extras, removedAdded, addedChanges);
      }
      return withFields(message, messageChanges);
    },
  },
};

/** Undefined if `additional_kwargs` existed only for this package's fields (`isBare`). @param {any} extras @param {string[]} removed @param {Record<string, any>} changes */
function changedExtras(extras, removed, changes) {
  const { beforeCompression: before } = changes;
  const isNew = extras === undefined && before !== undefined;
  const marked = isNew ? { ...changes, beforeCompression: { ...before, isBare: true } } : changes;
  const copy = changedCopy(extras ?? {}, removed, marked);
  const wasBare = removed.includes('beforeCompression') && extras?.beforeCompression?.isBare === true;
  return wasBare && Object.keys(copy).length === 0 ? undefined : copy;
}

/** @param {any} message */
const isInstance = (message) => typeof message.getType === 'function' || typeof message._getType === 'function';

/** @param {any} message @returns {unknown} undefined if it is neither an instance nor a stored form */
function typeOf(message) {
  if (message === null || typeof message !== 'object') return undefined;
  if (typeof message.getType === 'function') return message.getType();
  if (typeof message._getType === 'function') return message._getType();
  const { lc, id, kwargs, type, data, content } = message;
  if (lc === 1) return Array.isArray(id) && isObject(kwargs) ? TYPES.get(id.at(-1)) : undefined;
  const hasContent = isContent(content) || isContent(data?.content);
  return hasContent && MESSAGE_TYPES.has(type) ? type : undefined;
}

const isContent = (/** @type {unknown} */ content) => typeof content === 'string' || isList(content);

/** The object with the message's fields: itself, or a field of a stored form. @param {any} message */
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

/** The time of a message or of its fields. Applications can add fields to instances only in the last three places. @param {any} message @param {any} fields @returns {number} */
function timeOfEither(message, fields) {
  let time = timeOf(message);
  if (Number.isNaN(time) && fields !== message) time = timeIn(fields);
  if (Number.isNaN(time)) time = timeIn(fields.additional_kwargs);
  if (Number.isNaN(time)) time = timeIn(fields.response_metadata);
  return Number.isNaN(time) ? timeIn(fields.metadata) : time;
}

/** @param {any} value @returns {number} */
const timeIn = (value) => (value !== null && typeof value === 'object' ? timeOf(value) : Number.NaN);
/** @type {import('../part-list.js').IsStill} */
const isStillCall = (row, _, call, at) => row.isStillCall(at, call?.id, call?.name, call?.args, at);

/** A copy with another content; the fast path for what {@link withFields} does. @param {any} message @param {string} content */
function withContent(message, content) {
  const { lc_kwargs: constructorFields, kwargs } = message;
  const hasContent = isInstance(message) && isObject(constructorFields) && 'content' in constructorFields;
  if (hasContent && isDataOnly(message) && isSpreadable(constructorFields)) {
    const copy = { ...message, content, lc_kwargs: { ...constructorFields, content } };
    return Object.setPrototypeOf(copy, Object.getPrototypeOf(message));
  }
  if (holderOf(message) === 'kwargs' && isSpreadable(message) && isSpreadable(kwargs)) {
    return { ...message, kwargs: { ...kwargs, content } };
  }
  return withFields(message, { content });
}

/** A copy with changed fields, also in `lc_kwargs`, which LangChain writes to JSON. Undefined removes a field. @param {any} message @param {Record<string, unknown>} changes */
function withFields(message, changes) {
  const holder = holderOf(message);
  if (holder !== undefined) return copyOf(message, { [holder]: changedFields(message[holder], changes) });
  const { lc_kwargs: constructorFields } = message;
  const fields = Object.keys(changes);
  const hasConstructorFields = isObject(constructorFields) && Object.hasOwn(message, 'lc_kwargs');
  const present = hasConstructorFields ? fields.filter((field) => field in constructorFields) : [];
  if (present.length === 0) return copyOf(message, changes);
  const presentChanges = Object.fromEntries(present.map((field) => [field, changes[field]]));
  return copyOf(message, { ...changes, lc_kwargs: copyOf(constructorFields, presentChanges) });
}

/** @param {any} fields @param {Record<string, unknown>} changes */
function changedFields(fields, changes) {
  const removed = Object.keys(changes).filter((field) => changes[field] === undefined);
  const left = Object.entries(changes).filter(([, value]) => value !== undefined);
  return removed.length === 0 ? copyOf(fields, changes) : changedCopy(fields, removed, Object.fromEntries(left));
}

/** A message in the same stored form as `like`. @param {any} like @param {string} name of its class @param {object} fields */
function stored(like, name, fields) {
  if (like.lc !== 1) return { type: TYPES.get(name), ...(holderOf(like) === 'data' ? { data: fields } : fields) };
  return { ...like, id: [...like.id.slice(0, -1), name], kwargs: fields };
}

module.exports = langchain;
