// @ts-check
/**
 * A strict OpenAI chat endpoint: what its API reference asks of calls and results, and no more lenient than the
 * strictest of the servers that copy it.
 *
 * - An assistant message with `tool_calls` is followed by one `tool` message for each of its ids, in any order, before
 *   any other message. No two of its calls have one id.
 * - A `tool` message stands nowhere else, has the id of a call of that message, and no second one has the same id
 *   (OpenAI takes a second one; Anthropic's servers behind the same API don't).
 * - Ids may be used again in later messages.
 *
 * This looks at adjacency. `cleanOrphanedToolCalls` removes by pairs: a result that stands apart from its call is
 * paired, kept, and refused here.
 */

/** @param {any} message @returns {any[]} */
const callsOf = (message) =>
  message?.role === 'assistant' && Array.isArray(message.tool_calls) ? message.tool_calls : [];

/**
 * Why the request would be refused; nothing when it would not.
 * @param {readonly any[]} messages
 * @param {{ pendingTurn?: boolean }} [options] `pendingTurn`: the last calls may still be without (all of) their results
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
      if (answered.has(id)) problems.push(`${place}: a second result for one call`);
      else if (!expected.delete(id)) problems.push(`${place}: a result of no call of the message before it`);
      answered.add(id);
      continue;
    }
    if (expected.size > 0) problems.push(`${place}: the call before it has no result`);
    const ids = callsOf(message).map((call) => call?.id);
    expected = new Set(ids);
    const named = ids.filter((id) => typeof id === 'string');
    if (new Set(named).size < named.length) problems.push(`${place}: a second call with one id`);
    answered = new Set();
  }
  if (expected.size > 0 && !pendingTurn) problems.push('the end: the last call has no result');
  return problems;
}

/**
 * The first of the problems; null when there is none.
 * @param {readonly any[]} messages
 * @returns {string | null}
 */
export const refusal = (messages) => problemsIn(messages)[0] ?? null;
