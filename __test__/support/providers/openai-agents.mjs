// @ts-check
/**
 * What `@openai/agents` takes as `AgentInputItem[]` and its models send on without an error.
 *
 * - Each item is one of the package's own schema.
 * - The package makes Responses items of them, one by one, so what holds there holds here (openai-responses.mjs). Its
 *   names differ: `callId`; `function_call_result`, whose output is text, a part or parts; reasoning as `content`.
 * - A result has its call's name.
 */
import { protocol } from '@openai/agents';
import { problemsIn as problemsInResponses } from './openai-responses.mjs';

const RESULTS = new Map([
  ['function_call_result', 'function_call_output'],
  ['computer_call_result', 'computer_call_output'],
  ['hosted_tool_call', 'web_search_call'],
]);
/** Parts of an output, as Responses calls them. */
const PARTS = new Map([
  ['text', 'input_text'],
  ['image', 'input_image'],
  ['file', 'input_file'],
]);

const renamed = (/** @type {any} */ part) => ({ ...part, type: PARTS.get(part?.type) ?? part?.type });

/** @param {any} output */
function outputOf(output) {
  if (typeof output === 'string') return output;
  return Array.isArray(output) ? output.map(renamed) : [renamed(output)];
}

/** The Responses item that the package makes of an item. @param {any} item @param {number} index */
function asResponses(item, index) {
  const { callId, type, ...rest } = item ?? {};
  if (type === 'reasoning') {
    // An id is optional here; the package sends the item without it, then.
    const { id = `rs_none_${index}`, content, providerData } = rest;
    return { type, id, summary: content, encrypted_content: providerData?.encryptedContent };
  }
  if (callId === undefined) return { ...rest, type: RESULTS.get(type) ?? type };
  const answer = RESULTS.get(type);
  if (answer === undefined) return { ...rest, type, call_id: callId };
  // Ids of results are the package's own.
  return { type: answer, call_id: callId, status: rest.status, output: outputOf(rest.output) };
}

/** @param {readonly any[]} items @returns {string[]} */
function otherNames(items) {
  /** @type {Map<string, string>} */
  const names = new Map();
  const problems = [];
  for (const [index, { type, callId, name } = /** @type {any} */ ({})] of items.entries()) {
    if (type === 'function_call') names.set(callId, name);
    if (type === 'function_call_result' && names.has(callId) && names.get(callId) !== name)
      problems.push(`input[${index}]: a result under another name`);
  }
  return problems;
}

/**
 * Why the package, or the API behind it, would refuse these items; nothing when neither would.
 * @param {readonly any[]} items
 * @param {{ pendingTurn?: boolean }} [options] `pendingTurn`: the last calls may still be without (all of) their results
 * @returns {string[]}
 */
export function problemsIn(items, options) {
  const strangers = items.flatMap((item, index) =>
    protocol.ModelItem.safeParse(item).success ? [] : [`input[${index}]: no item of this package`],
  );
  if (strangers.length > 0) return strangers;
  return [...problemsInResponses(items.map(asResponses), options), ...otherNames(items)];
}
