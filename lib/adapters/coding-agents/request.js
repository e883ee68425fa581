// @ts-check
'use strict';

/** How many cache breakpoints agents set before all messages: on the system prompt and on the tools. */
const FIXED_BREAKPOINTS = 2;
const CACHE_CONTROL = Object.freeze({ type: 'ephemeral' });

/**
 * Prepares a request of an agent. If the agent sets a breakpoint on its newest message after our hook, the view is shown one there, because the
 * price of a removal depends on it.
 * @param {InstanceType<typeof import('../conversations.js').Conversations>} conversations
 * @param {readonly any[]} messages
 * @param {object} agent
 * @param {any[][]} agent.undecided messages of requests that were sent while views failed; they are recorded, and removed from the list
 * @param {boolean} agent.setsBreakpoints
 * @param {import('../conversations.js').RequestDetails} details
 */
async function prepareRequest(conversations, messages, { undecided, setsBreakpoints }, details) {
  for (const earlier of undecided.splice(0)) conversations.recordBypassing(earlier);
  const last = messages.at(-1);
  if (!setsBreakpoints || last === undefined) return conversations.prepare(messages, details);
  const newest = { ...last, cache_control: CACHE_CONTROL };
  const asSent = [...messages.slice(0, -1), newest];
  const request = await conversations.prepare(asSent, { ...details, fixedBreakpoints: FIXED_BREAKPOINTS });
  request.messages = request.messages.map((/** @type {any} */ message) => (message === newest ? last : message));
  return request;
}

module.exports = { prepareRequest };
