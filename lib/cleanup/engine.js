// @ts-check
'use strict';

const { copyOfList, sameItems } = require('../lists.js');
const native = require('../native.js');
const { isObject, safely } = require('../plain-data.js');
const { Conversation } = require('./conversation.js');
const { hasPaths, isSamePolicy } = require('./options.js');
const { ALL_ARGUMENTS, CALL_ARGUMENTS, CALL_IDS, CALL_NAMES } = require('./row-flags.js');

/**
 * Finds the engine of a policy, and in it the conversation that an array of messages continues.
 * @typedef {InstanceType<typeof Conversation>} KeptConversation
 * @typedef {import('./options.js').PolicySpec} PolicySpec
 */

/** Messages at the end by which a conversation is found: the last one may not be stored. */ const ANCHORS = 4;
/** Messages at the end that are searched for an anchor. */ const LOOK_BACK = 256;
/** Anchors are set again after this many new messages. */ const ANCHORED_EVERY = 16;
/** Conversations in memory; older ones are read again. Rewinding leaves many behind. */ const MAX_CONVERSATIONS = 16;
/** Ids of forgotten messages keep their numbers; with more unused ids than this, the conversation is read again. */
const MAX_UNUSED_IDS = 4096;
/** Policies in memory: an application may use different options at every call. */ const MAX_ENGINES = 64;

/** A policy (the rules and options of a call), and the conversations that were read with it. */
class Engine {
  /** @param {PolicySpec} spec @param {string} cwd base of relative paths, empty if the policy has no paths */
  constructor(spec, cwd) {
    this.spec = spec;
    this.dialect = spec.dialect;
    this.cwd = cwd;
    const windows = process.platform === 'win32';
    this.policy = new native.Policy({ ...spec, cwd: cwd || currentDirectory(), windows });
    this.fixesOrphans = spec.orphans !== 'keep';
    this.interruptedAnswer = this.policy.interruptedAnswer();
    this.ruleNames = this.policy.ruleNames();
    /** For each rule, its placeholder if it is the same for all results. */
    this.placeholders = this.ruleNames.map((_, index) => this.policy.fixedPlaceholder(index));
    /** For each rule, true if it groups results by path. */
    this.byPath = this.ruleNames.map((_, index) => this.policy.groupsByPath(index));
    const findsReferences = spec.options?.repeated === true;
    if (findsReferences) this.callDepth = ALL_ARGUMENTS;
    else if (this.ruleNames.some((_, index) => this.policy.groups(index))) this.callDepth = CALL_ARGUMENTS;
    else this.callDepth = this.ruleNames.length > 0 ? CALL_NAMES : CALL_IDS;
    this.watchesAllTools = this.policy.watchesAllTools() || findsReferences;
    /** Conversations, keyed by their anchors; weak, so that one lives only as long as the application keeps its messages. @type {WeakMap<object, KeptConversation>} */
    this.anchored = new WeakMap();
    /** Oldest first. @type {WeakRef<KeptConversation>[]} */ this.recent = [];
    /** The conversation of the previous call. @type {WeakRef<KeptConversation> | undefined} */ this.last = undefined;
  }

  /**
   * Calls `work` with the conversation that `messages` continue, or with a new one.
   * @template R @param {readonly unknown[]} messages @param {(conversation: KeptConversation) => R} work @returns {R}
   */
  withConversation(messages, work) {
    const found = this.#lastConversation(messages) ?? this.#anchoredConversation(messages);
    const isUsable =
      found?.isBusy === false && found.transcript.numbering.ids.size - found.transcript.length < MAX_UNUSED_IDS;
    const conversation = isUsable ? found : this.#newConversation();
    this.last = conversation === this.last?.deref() ? this.last : new WeakRef(conversation);
    const addedCount = messages.length - conversation.anchoredLength;
    if (addedCount >= 0 && addedCount < ANCHORED_EVERY) return this.#run(conversation, work);
    // Anchors are read first: `work` may put copies into the array, which the application doesn't pass again.
    const anchors = lastObjects(messages);
    const result = this.#run(conversation, work);
    this.#anchor(conversation, anchors, messages.length);
    return result;
  }

  /** @template R @param {KeptConversation} conversation @param {(conversation: KeptConversation) => R} work @returns {R} */
  #run(conversation, work) {
    conversation.isBusy = true;
    try {
      const result = work(conversation);
      conversation.isBusy = false;
      return result;
    } catch (error) {
      // The error may have left the state incomplete. The conversation stays busy, so the next call starts a new one.
      this.#release(conversation);
      throw error;
    }
  }

  /** The conversation of the previous call, if `messages` continue it. @param {readonly unknown[]} messages */
  #lastConversation(messages) {
    const last = this.last?.deref();
    if (last === undefined) return undefined;
    const { objects } = last.table;
    const { length } = objects;
    const lastObject = objects[length - 1];
    // Only the last message decides: those before it are also in other branches of the conversation.
    if (isObject(lastObject) && messages[length - 1] === lastObject) return last;
    // Without anchors, only the conversation of the last call can be found.
    this.#anchor(last, lastObjects(objects), length);
    return undefined;
  }

  #newConversation() {
    const conversation = new Conversation(this);
    this.recent.push(new WeakRef(conversation));
    const oldest = this.recent.length > MAX_CONVERSATIONS ? this.recent.shift()?.deref() : undefined;
    if (oldest !== undefined) this.#release(oldest);
    return conversation;
  }

  /** Removes the anchors of a conversation, so that it is not found any more. @param {KeptConversation} conversation */
  #release(conversation) {
    for (const message of conversation.anchors) {
      if (this.anchored.get(message) === conversation) this.anchored.delete(message);
    }
  }

  /** The conversation of the last anchor in `messages`. @param {readonly unknown[]} messages */
  #anchoredConversation(messages) {
    const newest = copyOfList(messages, Math.max(0, messages.length - LOOK_BACK));
    const anchor = newest.findLast((message) => isObject(message) && this.anchored.has(message));
    return anchor === undefined ? undefined : this.anchored.get(/** @type {object} */ (anchor));
  }

  /** @param {KeptConversation} conversation @param {object[]} anchors @param {number} length length of the array that ends with `anchors` */
  #anchor(conversation, anchors, length) {
    conversation.anchoredLength = length;
    if (sameItems(conversation.anchors, anchors)) return;
    this.#release(conversation);
    for (const message of anchors) this.anchored.set(message, conversation);
    conversation.anchors = anchors;
  }
}

/** The last {@link ANCHORS} messages that are objects. @param {readonly unknown[]} messages @returns {object[]} last first */
function lastObjects(messages) {
  /** @type {object[]} */ const objects = [];
  for (let index = messages.length - 1; index >= 0 && objects.length < ANCHORS; index--) {
    const message = messages[index];
    if (isObject(message)) objects.push(message);
  }
  return objects;
}

/** If the directory was deleted, relative paths still compare equal to each other. */
const currentDirectory = () => safely(() => process.cwd()) ?? '/';

/** Engines of the latest policies, the last used one first. @type {Engine[]} */ const engines = [];

/** Returns the same engine for equal options, even as a new object: engines keep what they read of conversations. @param {PolicySpec} spec */
function engineFor(spec) {
  const cwd = hasPaths(spec) ? currentDirectory() : '';
  const index = engines.findIndex((engine) => engine.cwd === cwd && isSamePolicy(engine.spec, spec));
  const engine = engines[index] ?? new Engine(spec, cwd);
  if (index === 0) return engine;
  if (index > 0) engines.splice(index, 1);
  engines.unshift(engine);
  if (engines.length > MAX_ENGINES) engines.pop();
  return engine;
}

module.exports = { Engine, engineFor };
