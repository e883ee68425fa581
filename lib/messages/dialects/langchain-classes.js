// @ts-check
'use strict';

/**
 * Creates LangChain messages of a class that the conversation has no instance of. The classes are derived from the conversation's own base class,
 * because another copy of the package would have classes that the application's copy doesn't recognise.
 */

/** Keyed by the base class of all messages. @type {WeakMap<object, Record<'tool' | 'human', any>>} */
const classesOf = new WeakMap();

/**
 * `message`: an instance of the same package; `fields`: the constructor's arguments.
 * @param {any} message @param {'tool' | 'human'} kind @param {object} fields
 */
function instanceLike(message, kind, fields) {
  const Base = baseOf(message);
  const newClasses = () => ({
    tool: messageClass(Base, 'tool', 'ToolMessage'),
    human: messageClass(Base, 'human', 'HumanMessage'),
  });
  const classes = classesOf.get(Base) ?? newClasses();
  classesOf.set(Base, classes);
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

module.exports = { instanceLike };
