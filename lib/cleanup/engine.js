// @ts-check
'use strict';

const { checkLength } = require('../arguments.js');
const native = require('../native.js');
const { Conversation } = require('./conversation.js');
const { CALL_ARGUMENTS, CALL_IDS, CALL_NAMES } = require('./row-flags.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Remembered
 * @typedef {{ preset?: string, label: string, options: unknown }} RuleSpec
 * @typedef {'keep' | 'old' | 'oldWhereNoneIsKnown'} UnknownAge
 * @typedef {object} PolicySpec
 * @property {'dropIn' | 'prepare' | 'view'} purpose which function asks
 * @property {'keep' | 'remove' | 'answer'} orphans
 * @property {UnknownAge} unknownAge
 * @property {RuleSpec[]} rules
 * @property {object} [options] what holds for all presets
 */

/** Messages at the end by which a conversation is found again: hosts often append one that isn't stored. */
const ANCHORS = 4;
/** How many messages a host may have added since. */
const LOOK_BACK = 256;
/** Conversations beyond this many are read anew when they come back; rewinding leaves them behind. */
const MAX_CONVERSATIONS = 16;
/** Ids of forgotten messages stay numbered; with more than this many beyond those in use, start over. */
const MAX_UNUSED_IDS = 4096;
/** Policies beyond this many are forgotten, oldest first: a host may make up options for every call. */
const MAX_ENGINES = 64;

/** One policy, and the conversations that were seen under it. */
class Engine {
  /** @param {PolicySpec} spec */
  constructor(spec) {
    this.policy = new native.Policy({ ...spec, cwd: currentDirectory(), windows: process.platform === 'win32' });
    this.mendsOrphans = spec.orphans !== 'keep';
    this.interruptedAnswer = this.policy.interruptedAnswer();
    this.ruleNames = this.policy.ruleNames();
    this.placeholders = this.ruleNames.map((_, index) => this.policy.fixedPlaceholder(index));
    this.hasTemplates = this.placeholders.includes(null);
    this.byPath = this.ruleNames.map((_, index) => this.policy.groupsByPath(index));
    const grouped = this.ruleNames.some((_, index) => this.policy.groups(index));
    this.callDepth = grouped ? CALL_ARGUMENTS : this.ruleNames.length > 0 ? CALL_NAMES : CALL_IDS;
    this.watchesAllTools = this.policy.watchesAllTools();
    this.asksAllTimes = this.policy.asksAllTimes();
    /** Holds no conversation longer than the host holds its messages. @type {WeakMap<object, Remembered>} */
    this.anchored = new WeakMap();
    /** @type {WeakRef<Remembered>[]} */ this.recent = [];
  }

  /**
   * Runs `work` on the conversation that `messages` continue, or on a new one.
   * @template R
   * @param {readonly unknown[]} messages
   * @param {(conversation: Remembered) => R} work
   * @returns {R}
   */
  remember(messages, work) {
    const found = this.#find(messages);
    const conversation = found === undefined || !canGoOn(found) ? this.#begin() : found;
    // Before the work: it may put copies into the slots, which nobody will pass again.
    const anchors = lastObjects(messages);
    conversation.busy = true;
    try {
      const result = work(conversation);
      this.#anchor(conversation, anchors);
      conversation.busy = false;
      return result;
    } catch (error) {
      // What threw may have left the state half told: it stays busy, and the next call starts anew.
      this.#release(conversation);
      throw error;
    }
  }

  #begin() {
    const conversation = new Conversation(this);
    this.recent.push(new WeakRef(conversation));
    if (this.recent.length > MAX_CONVERSATIONS) {
      const oldest = this.recent.shift()?.deref();
      if (oldest !== undefined) this.#release(oldest);
    }
    return conversation;
  }

  /** @param {Remembered} conversation */
  #release(conversation) {
    for (const message of conversation.anchors) {
      if (this.anchored.get(message) === conversation) this.anchored.delete(message);
    }
  }

  /** @param {readonly unknown[]} messages */
  #find(messages) {
    const stop = Math.max(0, messages.length - LOOK_BACK);
    for (let index = messages.length - 1; index >= stop; index--) {
      const message = messages[index];
      if (typeof message !== 'object' || message === null) continue;
      const conversation = this.anchored.get(message);
      if (conversation !== undefined) return conversation;
    }
    return undefined;
  }

  /**
   * @param {Remembered} conversation
   * @param {object[]} anchors
   */
  #anchor(conversation, anchors) {
    const old = conversation.anchors;
    if (old.length === anchors.length && old.every((message, index) => message === anchors[index])) return;
    for (const message of old) {
      if (!anchors.includes(message) && this.anchored.get(message) === conversation) this.anchored.delete(message);
    }
    for (const message of anchors) this.anchored.set(message, conversation);
    conversation.anchors = anchors;
  }
}

/**
 * @param {readonly unknown[]} messages
 * @returns {object[]} last first
 */
function lastObjects(messages) {
  /** @type {object[]} */
  const objects = [];
  for (let index = messages.length - 1; index >= 0 && objects.length < ANCHORS; index--) {
    const message = messages[index];
    if (typeof message === 'object' && message !== null) objects.push(message);
  }
  return objects;
}

/** @param {Remembered} conversation */
function canGoOn({ busy, transcript }) {
  return !busy && transcript.numbering.ids.size - transcript.length < MAX_UNUSED_IDS;
}

function currentDirectory() {
  try {
    return process.cwd();
  } catch {
    // The directory was removed under the host; relative paths still agree with each other.
    return '/';
  }
}

/** @type {Map<string, Engine>} */
const engines = new Map();

/**
 * The engine for `spec`. Engines keep what they learnt, so the same options must find the same one, whether or
 * not the host writes them as a new object literal for each call.
 * @param {PolicySpec} spec
 * @param {string} key as {@link policyKey} gives it
 */
function engineFor(spec, key) {
  let engine = engines.get(key);
  if (engine === undefined) {
    engine = new Engine(spec);
    engines.set(key, engine);
    if (engines.size > MAX_ENGINES) engines.delete(/** @type {string} */ (engines.keys().next().value));
  }
  return engine;
}

/** As `src/options.rs` has it. */
const LONGEST_OPTION = 2 ** 16;

const RULE_OPTIONS = [
  'name',
  'tools',
  'ignoreCase',
  'contentMarkers',
  'groupBy',
  'pathKeys',
  'projectRoot',
  'caseInsensitivePaths',
  'recentAmong',
  'keepRecent',
  'maxAgeMs',
  'errors',
  'countErrors',
  'placeholder',
  'placeholderLanguage',
  'terminalTools',
  'readTools',
  'searchTools',
  'argument',
];

/**
 * What `options` are, each read once: a getter that answers something else the next time would give its engine the key
 * of other options, and every later caller with those would get it.
 * @param {unknown} options
 * @param {string} label what errors call them
 * @returns {unknown} plain data, or what the addon will refuse
 */
function takenOnce(options, label) {
  if (options === null || typeof options !== 'object') return options;
  /** @type {Record<string, unknown>} */
  const taken = {};
  for (const name of RULE_OPTIONS) {
    const given = /** @type {any} */ (options)[name];
    if (given === undefined || given === null) continue;
    if (typeof given !== 'object') taken[name] = given;
    else if (Array.isArray(given)) taken[name] = listOnce(`${label}.${name}`, given);
    else taken[name] = name === 'groupBy' ? { argument: valueOnce(given.argument) } : {};
  }
  return taken;
}

/**
 * The addon refuses longer lists as well, but a list of millions would be copied and made a key before it comes there.
 * @param {string} label
 * @param {readonly unknown[]} list
 */
function listOnce(label, list) {
  checkLength(label, list, LONGEST_OPTION);
  return Array.from({ length: list.length }, (_, index) => valueOnce(list[index]));
}

/** No object is right here; it need not be looked into to be refused. @param {unknown} value */
function valueOnce(value) {
  return value !== null && typeof value === 'object' ? {} : value;
}

/**
 * A text that is the same for policies that decide the same. Values of a wrong type get a text that no right
 * value has; the addon refuses them when the engine is made.
 * @param {PolicySpec} spec
 */
function policyKey(spec) {
  let key = `${spec.purpose} ${spec.orphans} ${spec.unknownAge}${valueKey(spec.options)}`;
  let hasPaths = false;
  for (const { preset, options } of spec.rules) {
    key += `|${preset ?? ''}${valueKey(options)}`;
    hasPaths ||= preset === 'fileReads' || preset === undefined;
  }
  return hasPaths ? `${key}@${currentDirectory()}` : key;
}

/**
 * @param {any} value
 * @returns {string}
 */
function valueKey(value) {
  if (value === undefined || value === null) return 'u';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return `${typeof value}:${String(value)}`;
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  let key = '{';
  for (const option of RULE_OPTIONS) {
    const given = value[option];
    if (given !== undefined && given !== null) key += `${option}:${valueKey(given)},`;
  }
  return `${key}}`;
}

module.exports = { Engine, engineFor, policyKey, takenOnce, valueOnce };
