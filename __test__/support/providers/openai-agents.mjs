// @ts-check
/**
 * Validates `AgentInputItem[]` for `@openai/agents` and its models.
 *
 * - Each item matches the package's schema.
 * - The package converts items to Responses items one by one, so the rules of openai-responses.mjs apply. Names differ:
 *   `callId`; `function_call_result`, whose output is text, a part or parts; reasoning as `content`.
 * - A result has its call's name.
 */
import { protocol } from '@openai/agents';
import { problemsIn as problemsInResponses } from './openai-responses.mjs';

const RESULTS = new Map([
  ['function_call_result', 'function_call_output'],
  ['computer_call_result', 'computer_call_output'],
  ['hosted_tool_call', 'web_search_call'],
]);
/** Parts of an output, by their name in Responses. */
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

/** Converts an item to a Responses item like the package. @param {any} item @param {number} index */
function asResponses(item, index) {
  const { callId, type, ...rest } = item ?? {};
  if (type === 'reasoning') {
    // The id is optional here; without it the package sends the item without an id.
    const { id = `rs_none_${index}`, content, providerData } = rest;
    return { type, id, summary: content, encrypted_content: providerData?.encryptedContent };
  }
  if (callId === undefined) return { ...rest, type: RESULTS.get(type) ?? type };
  const answer = RESULTS.get(type);
  if (answer === undefined) return { ...rest, type, call_id: callId };
  // The package creates the ids of results.
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
      problems.push(`input[${index}]: a result with another tool's name`);
  }
  return problems;
}

/**
 * Reasons why the package, or the API behind it, would reject these items; empty if they are valid.
 * @param {readonly any[]} items
 * @param {{ pendingTurn?: boolean }} [options] `pendingTurn`: the last calls may lack results
 * @returns {string[]}
 */
export function problemsIn(items, options) {
  const strangers = items.flatMap((item, index) =>
    protocol.ModelItem.safeParse(item).success
      ? []
      : [`input[${index}]: an item that does not match the package's schema`],
  );
  if (strangers.length > 0) return strangers;
  return [...problemsInResponses(items.map(asResponses), options), ...otherNames(items)];
}
