// @ts-check
/**
 * Validates a request like a strict OpenAI chat endpoint: by the API reference's rules for calls and results, as
 * strictly as the strictest compatible server.
 *
 * - An assistant message with `tool_calls` is followed by one `tool` message for each of its ids, in any order, before
 *   any other message. Ids are unique within the message.
 * - There are no other `tool` messages, and no second one for an id (OpenAI accepts a second one; Anthropic's servers
 *   with the same API don't).
 * - Later messages may use the same ids again.
 *
 * This checks adjacency, whereas `cleanOrphanedToolCalls` removes by pairs: a result that is apart from its call is
 * paired, kept, and rejected here.
 */

/** @param {any} message @returns {any[]} */
const callsOf = (message) =>
  message?.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : [];

/**
 * Reasons why the request would be rejected; empty if it is valid.
 * @param {readonly any[]} messages
 * @param {{ pendingTurn?: boolean }} [options] `pendingTurn`: the last calls may lack results
 * @returns {string[]}
 */
export function problemsIn(messages, { pendingTurn = false } = {}) {
  const problems = [];
  let expected = new Set();
  let answered = new Set();
  for (const [index, message] of messages.entries()) {
    const place = `messages[${index}]`;
    if (message?.role === 'tool') {
      const id = message.tool_call_id;
      if (answered.has(id)) problems.push(`${place}: a second result for the same call`);
      else if (!expected.delete(id))
        problems.push(`${place}: a result without a call in the previous assistant message`);
      answered.add(id);
      continue;
    }
    if (expected.size > 0) problems.push(`${place}: an earlier call has no result`);
    const ids = callsOf(message).map((call) => call?.id);
    expected = new Set(ids);
    const named = ids.filter((id) => typeof id === 'string');
    if (new Set(named).size < named.length) problems.push(`${place}: a duplicate call id`);
    answered = new Set();
  }
  if (expected.size > 0 && !pendingTurn) problems.push('the end: the last call has no result');
  return problems;
}
