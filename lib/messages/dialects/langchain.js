// @ts-check
'use strict';

const { isList } = require('../../lists.js');

/**
 * LangChain's messages: instances of `BaseMessage`, and the JSON that threads are kept in (`{lc: 1, kwargs}`). Results
 * stand right behind the message with their calls. Copies of instances stay instances.
 */

const { seenIn } = require('../contents.js');
const { copyOf } = require('../copy.js');
const { timeOf } = require('../time.js');

/** Constructors in the JSON. @type {Map<unknown, string>} */
const TYPES = new Map([
  ['SystemMessage', 'system'],
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['AIMessageChunk', 'ai'],
  ['ToolMessage', 'tool'],
]);

/** @type {import('../dialect.js').Dialect} */
const langchain = {
  fields: null,

  reads: (message) => typeOf(message) !== undefined,

  read(message, reader) {
    const type = typeOf(message);
    const fields = fieldsOf(message);
    reader.time = langchainTime(message);
    if (type === 'ai') return reader.model(callsIn(fields));
    if (type !== 'tool') {
      reader.interrupt();
      return reader.other();
    }
    const { tool_call_id: id, content: held, status } = fields;
    reader.result({ id: reader.inPlace(id), held, look: seenIn, failed: status === 'error' });
  },

  timeOf: langchainTime,

  isAsRead(message, rows, at) {
    const type = typeOf(message);
    const { tool_calls: calls, tool_call_id: id, content, status } = fieldsOf(message);
    const row = rows[at];
    if (type === 'tool') return row.isStillResult(id, content, status === 'error', -1);
    if (type !== 'ai') return row.role === 'other';
    if (!isList(calls)) return row.hasCalls(0);
    for (let nth = 0; nth < calls.length; nth++) {
      const call = calls[nth];
      if (!row.isStillCall(nth, call?.id, call?.name, call?.args, nth)) return false;
    }
    return row.hasCalls(calls.length);
  },

  replace: (message, texts) => withContent(message, /** @type {string} */ (texts.get(-1))),

  without: () => undefined,

  answer(outcome, index, calls, text) {
    let last = index;
    while (typeOf(outcome.original(last + 1)) === 'tool') last++;
    const message = outcome.original(index);
    const known = outcome.find((each) => typeOf(each) === 'tool' && isInstance(each));
    const answers = calls.map(({ id, name }) => {
      const fields = { content: text, tool_call_id: id, name, status: 'error' };
      if (!isInstance(message)) return { ...message, id: [...message.id.slice(0, -1), 'ToolMessage'], kwargs: fields };
      return known === undefined ? toolMessage(message, fields) : new known.constructor(fields);
    });
    outcome.insert(last, answers);
  },

  count(message, found) {
    const fields = fieldsOf(message);
    found.content(fields.content);
    if (typeof fields.name === 'string') found.content(fields.name);
    if (typeOf(message) !== 'ai') return;
    for (const { name, arguments: input } of callsIn(fields)) found.call({ name, input });
  },
};

/** @param {any} message */
function isInstance(message) {
  return typeof message.getType === 'function' || typeof message._getType === 'function';
}

/** @param {any} message @returns {unknown} undefined for what is neither an instance nor the JSON of one */
function typeOf(message) {
  if (message === null || typeof message !== 'object') return undefined;
  if (typeof message.getType === 'function') return message.getType();
  if (typeof message._getType === 'function') return message._getType();
  const { lc, id, kwargs } = message;
  const isJson = lc === 1 && Array.isArray(id) && kwargs !== null && typeof kwargs === 'object';
  return isJson ? TYPES.get(id.at(-1)) : undefined;
}

/** @param {any} message */
function fieldsOf(message) {
  return isInstance(message) ? message : message.kwargs;
}

/** @param {any} message @returns {number} */
function langchainTime(message) {
  const time = timeOf(message);
  return Number.isNaN(time) ? timeIn(fieldsOf(message)) : time;
}

/** Instances take no fields of a host's own but in here. @param {any} fields @returns {number} */
function timeIn(fields) {
  for (const held of [fields, fields.additional_kwargs, fields.response_metadata, fields.metadata]) {
    const time = held !== null && typeof held === 'object' ? timeOf(held) : Number.NaN;
    if (!Number.isNaN(time)) return time;
  }
  return Number.NaN;
}

/** @param {any} fields */
function callsIn({ tool_calls: calls }) {
  if (!isList(calls)) return [];
  return calls.map((call, at) => {
    return { id: call?.id, name: call?.name, arguments: call?.args, settled: false, at };
  });
}

/** What an instance is written to JSON from is beside its fields. @param {any} message @param {string} content */
function withContent(message, content) {
  if (!isInstance(message)) return copyOf(message, { kwargs: copyOf(message.kwargs, { content }) });
  const { lc_kwargs: written } = message;
  const isWritten = written !== null && typeof written === 'object' && Object.hasOwn(message, 'lc_kwargs');
  return copyOf(message, { content, ...(isWritten && { lc_kwargs: copyOf(written, { content }) }) });
}

/**
 * A tool message where the host has none whose class could make one: of the package that `message` is of nothing else is
 * at hand, and two copies of it would not know each other's classes.
 * @param {any} message
 * @param {{ tool_call_id: unknown, status: string }} fields
 */
function toolMessage(message, fields) {
  let proto = Object.getPrototypeOf(message);
  // What its parent makes serializable is the base of all messages.
  while (proto !== null && !Object.hasOwn(Object.getPrototypeOf(proto) ?? {}, 'toJSON')) {
    proto = Object.getPrototypeOf(proto);
  }
  const Base = proto?.constructor ?? message.constructor;
  let Class = toolMessages.get(Base);
  if (Class === undefined) {
    Class = toolMessageOf(Base);
    toolMessages.set(Base, Class);
  }
  return new Class(fields);
}

/** By the base of all messages. @type {WeakMap<object, any>} */
const toolMessages = new WeakMap();

/** @param {any} Base */
function toolMessageOf(Base) {
  return class ToolMessage extends Base {
    static lc_name() {
      return 'ToolMessage';
    }

    /** @param {any} given */
    constructor(given) {
      super(given);
      this.type = 'tool';
      this.tool_call_id = given.tool_call_id;
      this.status = given.status;
    }

    getType() {
      return 'tool';
    }

    _getType() {
      return 'tool';
    }
  };
}

module.exports = langchain;
