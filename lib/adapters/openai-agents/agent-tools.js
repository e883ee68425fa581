// @ts-check
'use strict';

/**
 * Finds agents that are tools of others (`agent.asTool()`) and whose requests go past the filter: the SDK gives their runs the
 * model, settings and tracing of the run around them, and no filter.
 */
class AgentTools {
  #requests = 0;
  /** By agent, how many requests there had been with its newest. @type {WeakMap<object, number>} */
  #newest = new WeakMap();

  /**
   * Notes a request of an agent's.
   * @param {any} agent
   * @param {readonly any[]} input
   * @returns {string | undefined} what to say where an agent that is its tool has answered without a request here
   */
  unseenIn(agent, input) {
    if (agent === null || typeof agent !== 'object') return undefined;
    const before = this.#newest.get(agent);
    const isAlone = before === this.#requests;
    this.#newest.set(agent, ++this.#requests);
    const name = isAlone ? agentToolAnswering(agent, input) : undefined;
    if (name === undefined) return undefined;
    return `requests of the agent behind the tool ${name} go past callModelInputFilter; give agent.asTool() runConfig: { callModelInputFilter: filter }`;
  }
}

/** The name of a tool that is an agent and whose result is new in the input. @param {any} agent @param {readonly any[]} input */
function agentToolAnswering({ tools }, input) {
  if (!Array.isArray(tools)) return undefined;
  // Only what `asTool` makes has listeners for the events of a run.
  const names = tools.flatMap((tool) =>
    tool?.type === 'function' && typeof tool.on === 'function' ? [tool.name] : [],
  );
  if (names.length === 0) return undefined;
  const answered = input.findLastIndex((item) => item?.type !== 'function_call_result');
  return input.slice(answered + 1).find(({ name }) => names.includes(name))?.name;
}

module.exports = { AgentTools };
