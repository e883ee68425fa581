// @ts-check
'use strict';

const { checkOptions } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { wrongType } = require('../../errors.js');
const { isList } = require('../../lists.js');
const { Conversations } = require('../conversations.js');
const { AgentTools } = require('./agent-tools.js');

/** @typedef {Awaited<ReturnType<InstanceType<typeof Conversations>['prepare']>>} Request */
/** @typedef {{ usage?: { requestUsageEntries?: readonly object[] } }} RunContext */
/** @typedef {(event: string, listener: (...args: any[]) => void) => unknown} Listening */
/** @typedef {{ on: Listening, off: Listening }} Emitter */

/** Events after a response: at its first tool call, and at the end of the run. */
const ANSWERED = ['agent_tool_start', 'agent_handoff', 'agent_end'];

/** Creates a `callModelInputFilter`. A session stores the run's items, not what was sent. @param {unknown} [options] */
function modelInputFilter(options) {
  const conversations = new Conversations({
    price: 'openai',
    ...checkOptions(options, OPTIONS.adapter),
    dialect: 'openai-responses',
  });
  const usage = new UsageOfRuns();
  const agentTools = new AgentTools();
  /** @param {{ modelData: { input: any[], instructions?: string }, agent?: any }} call */
  const filter = async (call) => {
    const { modelData, agent } = call;
    const { input } = modelData;
    const unseen = agentTools.unseenIn(agent, input);
    if (unseen !== undefined) conversations.warnBypassing('openai-agents: agents as tools', unseen);
    if (isContinued(input)) return modelData;
    const model = typeof agent?.model === 'string' ? agent.model : undefined;
    const details = { request: call, model, fixedText: modelData.instructions ?? '' };
    const request = await conversations.prepare(input, details);
    usage.begin(input, request);
    return { ...modelData, input: request.messages };
  };
  // Items are not written to, and identical objects are found faster in the next request.
  return Object.assign(filter, {
    preserveInputIdentity: true,
    observe: usage.observe,
    ...conversations.publicMembers,
  });
}

/**
 * True if the provider keeps the conversation and receives only new results, which without their calls would look like orphans.
 * @param {readonly any[]} input
 */
function isContinued(input) {
  let hasResult = false;
  for (const item of input) {
    const type = item?.type;
    if (item?.role === 'assistant' || type === 'reasoning' || /_call$/.test(type)) return false;
    hasResult ||= /_(result|output)$/.test(type);
  }
  return hasResult;
}

/** Assigns usage to requests. The SDK reports usage to listeners per run, and a filter isn't told the run; both see the same item objects. */
class UsageOfRuns {
  /** Runs by the last item of their initial input. @type {WeakMap<object, RunContext>} */ #runs = new WeakMap();
  /** `before`: number of the run's requests with usage before this one. @type {WeakMap<RunContext, { request: Request, before: number }>} */
  #pending = new WeakMap();

  /** @param {readonly any[]} input @param {Request} request */
  begin(input, request) {
    const item = input.findLast((each) => this.#runs.has(each));
    const run = item && this.#runs.get(item);
    if (run !== undefined) this.#pending.set(run, { request, before: entriesOf(run).length });
  }

  /** @param {Emitter} source a runner or an agent @returns {() => void} stops listening */
  observe = (source) => {
    if (typeof source?.on !== 'function' || typeof source.off !== 'function') {
      throw wrongType('source', 'a Runner or an Agent', source);
    }
    const started = (/** @type {RunContext} */ run, /** @type {unknown} */ _agent, /** @type {unknown} */ input) => {
      const item = isList(input) ? input.at(-1) : undefined;
      if (item !== null && typeof item === 'object') this.#runs.set(item, run);
    };
    const answered = (/** @type {RunContext} */ run) => this.#observeNewest(run);
    source.on('agent_start', started);
    for (const event of ANSWERED) source.on(event, answered);
    return () => {
      source.off('agent_start', started);
      for (const event of ANSWERED) source.off(event, answered);
    };
  };

  /** @param {RunContext} run */
  #observeNewest(run) {
    const pending = this.#pending.get(run);
    const entries = entriesOf(run);
    // Nested runs add to the same list, so the newest entry may belong to another run.
    if (pending !== undefined && entries.length === pending.before + 1) pending.request.observe(entries.at(-1));
  }
}

/** The usage of each request of a run. @param {RunContext} run @returns {readonly object[]} */
function entriesOf(run) {
  const entries = run?.usage?.requestUsageEntries;
  return isList(entries) ? entries : [];
}

module.exports = { modelInputFilter };
