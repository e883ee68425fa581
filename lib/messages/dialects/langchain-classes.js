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
  let classes = classesOf.get(Base);
  if (classes === undefined) {
    classes = {
      tool: named(toolMessage(Base), 'ToolMessage'),
      human: named(classOf(Base, 'human', 'HumanMessage'), 'HumanMessage'),
    };
    classesOf.set(Base, classes);
  }
  return new classes[kind](fields);
}

/** Sets the class name, which LangChain writes to JSON and prints. @param {any} Class @param {string} name */
function named(Class, name) {
  return Object.defineProperty(Class, 'name', { value: name });
}

/** The base class of all messages: the one whose parent has `toJSON`. @param {any} message */
function baseOf(message) {
  let proto = Object.getPrototypeOf(message);
  while (proto !== null && !Object.hasOwn(Object.getPrototypeOf(proto) ?? {}, 'toJSON')) {
    proto = Object.getPrototypeOf(proto);
  }
  return proto?.constructor ?? message.constructor;
}

/** @param {any} Base @param {string} type @param {string} name */
function classOf(Base, type, name) {
  return class extends Base {
    static lc_name() {
      return name;
    }

    /** @param {any} given */
    constructor(given) {
      super(given);
      this.type = type;
    }

    getType() {
      return type;
    }

    _getType() {
      return type;
    }
  };
}

/** @param {any} Base */
function toolMessage(Base) {
  return class extends classOf(Base, 'tool', 'ToolMessage') {
    /** @param {any} given */
    constructor(given) {
      super(given);
      this.tool_call_id = given.tool_call_id;
      this.status = given.status;
    }
  };
}

module.exports = { instanceLike };
