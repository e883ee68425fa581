// @ts-check
'use strict';

/** Detects agents used as tools (`agent.asTool()`): the SDK runs them with the outer run's model, but without its filter. */
class AgentTools {
  #requestCount = 0;
  /** For each agent, the request count at its newest request. @type {WeakMap<object, number>} */ #countAtNewest =
    new WeakMap();

  /**
   * @param {any} agent that makes the request
   * @param {readonly any[]} input
   * @returns {string | undefined} a warning if one of its agent tools returned a result without a request through the filter
   */
  warningFor(agent, input) {
    if (agent === null || typeof agent !== 'object') return undefined;
    const hadNewestRequest = this.#countAtNewest.get(agent) === this.#requestCount;
    this.#countAtNewest.set(agent, ++this.#requestCount);
    const name = hadNewestRequest ? agentToolAnswering(agent, input) : undefined;
    if (name === undefined) return undefined;
    return `requests of the agent behind the tool ${name} go past callModelInputFilter; give agent.asTool() runConfig: { callModelInputFilter: filter }`;
  }
}

/** The name of an agent tool with a new result. @param {any} agent @param {readonly any[]} input */
function agentToolAnswering({ tools }, input) {
  if (!Array.isArray(tools)) return undefined;
  // Only tools made by `asTool` have an `on` method, for run events.
  const names = tools.flatMap((tool) =>
    tool?.type === 'function' && typeof tool.on === 'function' ? [tool.name] : [],
  );
  if (names.length === 0) return undefined;
  const lastOther = input.findLastIndex((item) => item?.type !== 'function_call_result');
  return input.slice(lastOther + 1).find(({ name }) => names.includes(name))?.name;
}

module.exports = { AgentTools };
