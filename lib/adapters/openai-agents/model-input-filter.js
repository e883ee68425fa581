// @ts-check
'use strict';

const { checkOptions } = require('../../arguments.js');
const { OPTIONS } = require('../../option-names.js');
const { wrongType } = require('../../errors.js');
const { isList } = require('../../lists.js');
const { isObject } = require('../../plain-data.js');
const { Conversations } = require('../conversations.js');

/** @typedef {import('../conversations.js').PreparedRequest} Request */
/** @typedef {{ usage?: { requestUsageEntries?: readonly object[] } }} RunContext */
/** @typedef {(event: string, listener: (...args: any[]) => void) => unknown} Listening */

/** Events after a response: at its first tool call, and at the end of the run. */
const RESPONSE_EVENTS = ['agent_tool_start', 'agent_handoff', 'agent_end'];

/** Creates a `callModelInputFilter`. A session stores the run's items, not what was sent. @param {unknown} [options] */
function modelInputFilter(options) {
  const given = checkOptions(options, OPTIONS.adapter);
  const conversations = new Conversations({ price: 'openai', ...given, dialect: 'openai-responses' });
  const usage = new UsageOfRuns();
  const warningFor = agentToolDetector();
  /** @param {{ modelData: { input: any[], instructions?: string }, agent?: any }} call */
  const filter = async (call) => {
    const { modelData, agent } = call;
    const { input } = modelData;
    const warning = warningFor(agent, input);
    if (warning !== undefined) conversations.warnBypassing('openai-agents: agents as tools', warning);
    // Results without their calls would look like orphans.
    if (isContinued(input)) return modelData;
    const model = typeof agent?.model === 'string' ? agent.model : undefined;
    const details = { request: call, model, fixedText: modelData.instructions ?? '' };
    const request = await conversations.prepare(input, details);
    usage.begin(input, request);
    return { ...modelData, input: request.messages };
  };
  // Items are not written to, and identical objects are found faster in the next request.
  return Object.assign(filter, { preserveInputIdentity: true, observe: usage.observe, ...conversations.publicMembers });
}

/** True if the provider keeps the conversation and receives only new results. @param {readonly any[]} input */
function isContinued(input) {
  const isOfModel = (/** @type {any} */ item) =>
    item?.role === 'assistant' || item?.type === 'reasoning' || /_call$/.test(item?.type);
  return !input.some(isOfModel) && input.some((item) => /_(result|output)$/.test(item?.type));
}

/** Assigns usage to requests. The SDK reports usage to listeners per run, and a filter isn't told the run; both see the same item objects. */
class UsageOfRuns {
  /** Runs, keyed by the last item of their initial input. @type {WeakMap<object, RunContext>} */ #runs = new WeakMap();
  /** Newest requests; `usageCountBefore`: requests of the run with usage before it. @type {WeakMap<RunContext, { request: Request, usageCountBefore: number }>} */
  #newest = new WeakMap();

  /** @param {readonly any[]} input @param {Request} request */
  begin(input, request) {
    const item = input.findLast((each) => this.#runs.has(each));
    const run = item && this.#runs.get(item);
    if (run !== undefined) this.#newest.set(run, { request, usageCountBefore: usagesOf(run).length });
  }

  /** @param {{ on: Listening, off: Listening }} source a runner or an agent @returns {() => void} stops listening */
  observe = (source) => {
    if (typeof source?.on !== 'function' || typeof source.off !== 'function') {
      throw wrongType('source', 'a Runner or an Agent', source);
    }
    const onStart = (/** @type {RunContext} */ run, /** @type {unknown} */ _agent, /** @type {unknown} */ input) => {
      const item = isList(input) ? input.at(-1) : undefined;
      if (isObject(item)) this.#runs.set(item, run);
    };
    const onResponse = (/** @type {RunContext} */ run) => {
      const [newest, usages] = [this.#newest.get(run), usagesOf(run)];
      // Nested runs add to the same list, so the newest usage may belong to another run.
      if (usages.length - 1 === newest?.usageCountBefore) newest.request.observe(usages.at(-1));
    };
    source.on('agent_start', onStart);
    for (const event of RESPONSE_EVENTS) source.on(event, onResponse);
    return () => {
      source.off('agent_start', onStart);
      for (const event of RESPONSE_EVENTS) source.off(event, onResponse);
    };
  };
}

/** The usage of each request of a run. @param {RunContext} run @returns {readonly object[]} */
function usagesOf(run) {
  const usages = run?.usage?.requestUsageEntries;
  return isList(usages) ? usages : [];
}

/** Detects agents used as tools (`agent.asTool()`): the SDK runs them with the outer run's model, but without its filter. */
function agentToolDetector() {
  let requestCount = 0;
  /** The count at each agent's newest request. @type {WeakMap<object, number>} */ const countAtNewest = new WeakMap();
  /** @param {any} agent that makes the request @param {readonly any[]} input */
  return (agent, input) => {
    if (!isObject(agent)) return undefined;
    const hadNewestRequest = countAtNewest.get(agent) === requestCount;
    countAtNewest.set(agent, ++requestCount);
    const name = hadNewestRequest ? agentToolAnswering(agent, input) : undefined;
    if (name === undefined) return undefined;
    return `requests of the agent behind the tool ${name} go past callModelInputFilter; give agent.asTool() runConfig: { callModelInputFilter: filter }`;
  };
}

/** The name of an agent tool with a new result. @param {any} agent @param {readonly any[]} input */
function agentToolAnswering({ tools }, input) {
  if (!Array.isArray(tools)) return undefined;
  // Only tools made by `asTool` have an `on` method, for run events.
  const isAgent = (/** @type {any} */ tool) => tool?.type === 'function' && typeof tool.on === 'function';
  const names = tools.filter(isAgent).map(({ name }) => name);
  const lastOther = input.findLastIndex((item) => item?.type !== 'function_call_result');
  return input.slice(lastOther + 1).find(({ name }) => names.includes(name))?.name;
}

module.exports = { modelInputFilter };
