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
const { timeOf } = require('../chat.js');

/** @type {readonly any[]} */ const NO_CALLS = Object.freeze([]);
/** The type of each class, keyed by its name in JSON. @type {Map<unknown, string>} */ const TYPES = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['ToolMessage', 'tool'],
]);
const MESSAGE_TYPES = new Set(TYPES.values());
const ROLES = roleNames({ system: 'system', human: 'user', ai: 'assistant', tool: 'tool' });

/** @type {import('../choice.js').Dialect} */ const langchain = {
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
    if (type !== 'ai' && type !== 'tool') parts.otherSpeaks();
    if (type === 'tool') parts.result({ id: tool_call_id, source: content, at: -1, failed: status === 'error' });
    else if (calls.length === 0 || !isList(content)) parts.content(content);
    // Anthropic's model repeats the calls in the content.
    else
      parts.each('content', content, (part, at) => {
        if (part?.type === 'tool_use') parts.add('counted', part);
        else parts.part(part, at);
      });
    if (typeof name === 'string') parts.add('counted', name);
    for (let at = 0; at < calls.length; at++) {
      parts.call({ id: calls[at]?.id, name: calls[at]?.name, arguments: calls[at]?.args, at });
    }
    if (type !== 'ai') return;
    // Results of tools that the provider runs.
    const isServers = (/** @type {any} */ { type }) =>
      typeof type === 'string' && /_tool_result$|^server_tool_call_result$/.test(type);
    if (isList(content)) parts.unchangeableCount += content.filter((part) => isServers(part ?? {})).length;
    if (typeof extras?.reasoning_content === 'string') parts.hasThinking = true;
    parts.add('quoted', extras?.refusal);
  },

  timeOf: timeOfMessage,

  isUnchanged(table, index, message) {
    if (table.readObjects[index] !== message) return false;
    const row = table.rowAt(index);
    // Calling the instance's own `getType` is faster: this runs over every message before every request.
    const hasGetType = typeof message.getType === 'function';
    const type = hasGetType ? message.getType() : typeOf(message);
    const fields = hasGetType ? message : fieldsOf(message);
    if (type === 'ai') return sameCalls(row, isList(fields.tool_calls) ? fields.tool_calls : NO_CALLS, isStillCall);
    if (type !== 'tool') return row.role === 'other';
    const { tool_call_id: id, content, status } = fields;
    if (!row.isStillResult(id, content, status === 'error', -1)) return false;
    return message.timestamp === row.timestamp || Object.is(timeOfMessage(message), row.timestamp);
  },

  replace: (message, texts) => withContent(message, /** @type {string} */ (texts.get(-1))),

  withoutCalls(message, calls) {
    /** @type {{ tool_calls: readonly any[], content: any }} */ const { tool_calls: declared, content } =
      fieldsOf(message);
    const removed = new Set(calls.map(({ at }) => at));
    const changes = { tool_calls: declared.filter((_, at) => !removed.has(at)) };
    // Anthropic's model also has the calls in the content, in the same order.
    const isCall = (/** @type {any} */ part) => part?.type === 'tool_use';
    const hasCallsTwice = isList(content) && content.filter(isCall).length === declared.length;
    if (!hasCallsTwice) return withFields(message, changes);
    let nth = 0;
    const left = content.filter((part) => !isCall(part) || !removed.has(nth++));
    return withFields(message, { ...changes, content: left });
  },

  addResults(outcome, index, calls, text) {
    const message = outcome.messages[index];
    const example = outcome.messages.find((each) => typeOf(each) === 'tool' && isInstance(each));
    const results = calls.map(({ id, name }) => {
      const fields = { content: text, tool_call_id: id, name, status: 'error' };
      if (!isInstance(message)) return stored(message, 'ToolMessage', fields);
      return example === undefined ? instanceLike(message, 'tool', fields) : new example.constructor(fields);
    });
    outcome.insert(index, results, (each) => typeOf(each) === 'tool');
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
    reports: (message) => [fieldsOf(message), fieldsOf(message).response_metadata],

    changesWithoutUsage(message, names) {
      const { response_metadata: metadata, ...fields } = fieldsOf(message);
      const namesIn = (/** @type {any} */ value) => names.filter((name) => (value?.[name] ?? undefined) !== undefined);
      const changes = recordOf(namesIn(fields), {});
      const namesInMetadata = namesIn(metadata);
      if (namesInMetadata.length > 0) changes.response_metadata = changedCopy(metadata, namesInMetadata, {});
      return changes;
    },

    copy(message, removed, changes) {
      const isOwn = (/** @type {string} */ field) => OWN_FIELDS.includes(field);
      const fields = [...Object.keys(changes), ...removed].filter((field) => !isOwn(field));
      const messageChanges = recordOf(fields, changes);
      const ownFields = Object.keys(changes).filter(isOwn);
      const removedOwn = removed.filter(isOwn);
      if (removedOwn.length + ownFields.length > 0) {
        const extras = fieldsOf(message).additional_kwargs;
        messageChanges.additional_kwargs = changedExtras(extras, removedOwn, recordOf(ownFields, changes));
      }
      return withFields(message, messageChanges);
    },
  },
};

/** The values of these fields; undefined for missing ones. @param {readonly string[]} fields @param {Record<string, unknown>} values @returns {Record<string, any>} */
const recordOf = (fields, values) => Object.fromEntries(fields.map((field) => [field, values[field]]));

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

/** The first time in the message, its fields, or where applications can add fields to instances. @param {any} message */
function timeOfMessage(message) {
  const fields = fieldsOf(message);
  const { additional_kwargs: extras, response_metadata: metadata } = fields;
  return (
    timeIn(message) ?? timeIn(fields) ?? timeIn(extras) ?? timeIn(metadata) ?? timeIn(fields.metadata) ?? Number.NaN
  );
}

/** @param {any} value @returns {number | undefined} */
function timeIn(value) {
  const time = isObject(value) ? timeOf(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** @type {import('../part-list.js').IsStill} */
const isStillCall = (row, _, call, at) => row.isStillCall(at, call?.id, call?.name, call?.args, at);

/** {@link withFields} for the content of a result, six times as fast. @param {any} message @param {string} content */
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
  const hasConstructorFields = isObject(constructorFields) && Object.hasOwn(message, 'lc_kwargs');
  const present = hasConstructorFields ? Object.keys(changes).filter((field) => field in constructorFields) : [];
  if (present.length === 0) return copyOf(message, changes);
  return copyOf(message, { ...changes, lc_kwargs: copyOf(constructorFields, recordOf(present, changes)) });
}

/** @param {any} fields @param {Record<string, unknown>} changes */
function changedFields(fields, changes) {
  const removed = Object.keys(changes).filter((field) => changes[field] === undefined);
  const left = Object.keys(changes).filter((field) => changes[field] !== undefined);
  return removed.length === 0 ? copyOf(fields, changes) : changedCopy(fields, removed, recordOf(left, changes));
}

/** A message in the same stored form as `like`. @param {any} like @param {string} name of its class @param {object} fields */
function stored(like, name, fields) {
  if (like.lc !== 1) return { type: TYPES.get(name), ...(holderOf(like) === 'data' ? { data: fields } : fields) };
  return { ...like, id: [...like.id.slice(0, -1), name], kwargs: fields };
}

/** Keyed by the base class of all messages. @type {WeakMap<object, Record<'tool' | 'human', any>>} */
const madeClasses = new WeakMap();

/**
 * A message of a class that the conversation has no instance of. The class is derived from the base class of `message`, because another copy of the
 * package would have classes that the application's copy doesn't recognise.
 * @param {any} message @param {'tool' | 'human'} kind @param {object} fields the constructor's arguments
 */
function instanceLike(message, kind, fields) {
  const Base = baseOf(message);
  const classes = madeClasses.get(Base) ?? {
    tool: messageClass(Base, 'tool', 'ToolMessage'),
    human: messageClass(Base, 'human', 'HumanMessage'),
  };
  madeClasses.set(Base, classes);
  return new classes[kind](fields);
}

/** The base class of all messages: the one whose parent has `toJSON`. @param {any} message */
function baseOf(message) {
  let proto = Object.getPrototypeOf(message);
  while (proto !== null && !Object.hasOwn(Object.getPrototypeOf(proto) ?? {}, 'toJSON')) {
    proto = Object.getPrototypeOf(proto);
  }
  return proto?.constructor ?? message.constructor;
}

/** @param {any} Base @param {'tool' | 'human'} type @param {string} name which LangChain writes to JSON and prints */
function messageClass(Base, type, name) {
  const Class = class extends Base {
    static lc_name() {
      return name;
    }

    /** @param {any} given */
    constructor(given) {
      super(given);
      this.type = type;
      if (type === 'tool') [this.tool_call_id, this.status] = [given.tool_call_id, given.status];
    }

    getType() {
      return type;
    }

    _getType() {
      return type;
    }
  };
  return Object.defineProperty(Class, 'name', { value: name });
}

module.exports = langchain;
