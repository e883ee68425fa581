// @ts-check
'use strict';

/**
 * Input items of OpenAI's Responses API, and of the Agents SDK, which has them in camelCase. Each call and each output is an item. A reasoning item
 * belongs to the assistant item after it, and is kept or removed with it.
 */

const { copyOfList, isList, wordsOf } = require('../../lists.js');
const { PLAIN_RESULT, textOfContent, isMarkedFailed } = require('../tool-result.js');
const { copyOf, isSpreadable } = require('../copy.js');
const { cutContent, cutPart } = require('../parts.js');

/** Calls that the application runs, and their tool's name if the item has none. @type {Map<unknown, string | undefined>} */
const CALLS = new Map([
  ['function_call', undefined],
  ['custom_tool_call', undefined],
  ['local_shell_call', 'local_shell'],
  ['shell_call', 'shell'],
  ['apply_patch_call', 'apply_patch'],
  ['computer_call', 'computer'],
]);

/** Fields of all items, in both spellings. */ const FIELDS = Object.freeze(
  wordsOf(`type id status phase role content call_id callId name namespace arguments input output summary
    encrypted_content action pending_safety_checks acknowledged_safety_checks operation environment max_output_length
    outcome queries results code container_id outputs result error tools server_label approval_request_id approve reason
    providerData rawContent rawItem actions cache_control providerOptions async caller caller_id execution fingerprint
    created_by reasoning maxOutputLength background output_format quality revised_prompt size svg_usage
    toolSearchAgentName toolSearchMcpToolNames`),
);

/** Items with a call's output. A computer's can only be a screenshot. @type {Set<unknown>} */ const OUTPUTS = new Set(
  wordsOf(`function_call_output function_call_result custom_tool_call_output local_shell_call_output shell_call_output
    apply_patch_call_output computer_call_output computer_call_result`),
);

/** Items of tools that the provider runs, and the field with their result. @type {Map<unknown, string>} */
const PROVIDER_RESULTS = new Map([
  ['mcp_call', 'output'],
  ['code_interpreter_call', 'outputs'],
  ['file_search_call', 'results'],
  ['image_generation_call', 'result'],
  ['tool_search_output', 'tools'],
  ['hosted_tool_call', 'output'],
]);

/** @type {import('../choice.js').Dialect} */ const responses = {
  fields: FIELDS,

  // A result refers to `call_id`. Sessions of the Agents SDK omit an item's own `id`, here and in `providerData`.
  redundantFields: ({ type }) => (CALLS.has(type) ? ['id', 'providerData'] : []),

  // Messages look like chat messages and are read as such.
  roleOf: (item) => (isOfModel(item) ? 'assistant' : 'other'),
  canRead: ({ type, role }) => typeof type === 'string' && role === undefined,

  read(item, parts) {
    const { type, output } = item;
    const id = callIdOf(item);
    if (OUTPUTS.has(type)) {
      parts.setRole('tool');
      const isScreenshot = type.startsWith('computer_');
      if (isScreenshot) parts.unchangeableCount++;
      const result = { id, source: output, at: -1, failed: isFailed(item) };
      return parts.result(result, isScreenshot ? SCREENSHOT : TEXT_RESULT);
    }
    const isCall = CALLS.has(type);
    // All items except the application's are the model's; one response may have several.
    const isApplications = APPLICATION_ITEMS.has(type);
    parts.setRole(isApplications ? 'other' : 'assistant', isCall);
    if (!isApplications) parts.isResponseItem = true;
    if (isCall) {
      const [input, settled] = [argumentsOf(item), needsNoOutput(item)];
      const quoted = settled ? [input] : undefined;
      return parts.call({ id, name: nameOf(item), arguments: input, at: -1, settled, quoted });
    }
    if (type === 'item_reference') parts.hasItemReferences = true;
    const ownResult = item[PROVIDER_RESULTS.get(type) ?? ''] ?? '';
    if (ownResult !== '' && !(isList(ownResult) && ownResult.length === 0)) parts.unchangeableCount++;
    if (type !== 'reasoning') return parts.part(item);
    parts.hasThinking = true;
    parts.add('counted', item.summary);
    parts.add('counted', item.content);
  },

  isUnchanged(table, index, item) {
    const { type, timestamp, content } = item;
    const partCount = isList(content) ? content.length : -1;
    if (item.role !== undefined || !table.isAt(index, item, type, partCount)) return false;
    const row = table.rowAt(index);
    const id = callIdOf(item);
    if (CALLS.has(type)) return row.isStillCall(0, id, nameOf(item), argumentsOf(item), -1, needsNoOutput(item));
    if (!OUTPUTS.has(type)) return type !== 'item_reference';
    return row.isTimed(item, timestamp) && row.isStillResult(id, item.output, isFailed(item), -1);
  },

  replace(item, texts) {
    const output = replacement(item.output, /** @type {string} */ (texts.get(-1)));
    return isSpreadable(item) ? { ...item, output } : copyOf(item, { output });
  },

  repair(outcome) {
    outcome.each((index, item) => {
      if (item?.type !== 'reasoning') return;
      let start = index + 1;
      while (outcome.messages[start]?.type === 'reasoning') start++;
      // Remove the reasoning if all items that followed from it were removed, and there were some.
      let end = start;
      for (; isOfModel(outcome.messages[end]) && outcome.messages[end].type !== 'reasoning'; end++) {
        if (!outcome.removed.has(end)) return;
      }
      if (end > start) outcome.removed.add(index);
    });
  },

  addResults(outcome, index, [call], text) {
    const item = outcome.messages[index];
    let last = index;
    for (; CALLS.has(outcome.messages[last + 1]?.type); last++) {
      // The response has the same call again.
      if (callIdOf(outcome.messages[last + 1]) === call?.id) return void outcome.removed.add(index);
    }
    outcome.insert(last, [outputItemFor(item, call?.id, text)]);
  },

  makeText: (text) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
};

/** @type {import('../parts.js').ResultForm} */ const TEXT_RESULT = {
  ...PLAIN_RESULT,
  read(output) {
    if (output === undefined || output === null) return undefined;
    if (typeof output === 'string') return textOfContent(output);
    return textOfContent(isShellOutput(output) ? contentOf(output) : partsOf(output));
  },
  quoted: contentOf,
  cut: cutOutput,
  field: 'output',
};
/** @type {import('../parts.js').ResultForm} */
const SCREENSHOT = { ...TEXT_RESULT, read: () => undefined, textIn: () => undefined };

/** An output item that matches the call's type. @param {any} item @param {unknown} id @param {string} text */
function outputItemFor(item, id, text) {
  const { type } = item;
  const inCamelCase = item.callId !== undefined;
  const key = inCamelCase ? { callId: id } : { call_id: id };
  if (type === 'shell_call') {
    const outcome = inCamelCase ? { type: 'exit', exitCode: 1 } : { type: 'exit', exit_code: 1 };
    return { type: 'shell_call_output', ...key, output: [{ stdout: '', stderr: text, outcome }] };
  }
  if (type === 'apply_patch_call') return { type: 'apply_patch_call_output', ...key, status: 'failed', output: text };
  const hasOwnOutput = type === 'custom_tool_call' || type === 'local_shell_call';
  if (!inCamelCase) return { type: hasOwnOutput ? `${type}_output` : 'function_call_output', ...key, output: text };
  return { type: 'function_call_result', name: item.name, ...key, status: 'incomplete', output: text };
}

const APPLICATION_ITEMS = new Set(['mcp_approval_response', 'compaction', 'item_reference']);

/** @param {any} item */
const callIdOf = (item) =>
  item.call_id ?? item.callId ?? (item.type === 'local_shell_call_output' ? item.id : undefined);

/** @param {any} item */
function isFailed(item) {
  if (isMarkedFailed(item)) return true;
  const { output } = item;
  const runs = isList(output) ? output : [];
  return runs.some((run) => {
    const { type, exit_code, exitCode } = run?.outcome ?? {};
    return type === 'timeout' || (exit_code ?? exitCode ?? 0) !== 0;
  });
}

/** Content of an output; a shell's has `stdout` and `stderr` for each command. @param {any} output @returns {unknown} */
function contentOf(output) {
  if (output === null || typeof output !== 'object') return output;
  return partsOf(output).flatMap((part) => {
    const isShells = typeof part?.stdout === 'string' || typeof part?.stderr === 'string';
    return isShells ? [part.stdout, part.stderr].filter((text) => text !== undefined && text !== '') : [part];
  });
}

/** @param {any} output @param {import('../parts.js').Shorten} shorten @returns {any} */
function cutOutput(output, shorten) {
  if (typeof output === 'string') return cutContent(output, true, shorten);
  if (output === null || typeof output !== 'object') return output;
  const cut = partsOf(output).map((part) => {
    if (typeof part?.stdout !== 'string') return cutPart(part, true, shorten);
    const [stdout, stderr] = [part.stdout, part.stderr].map((text) => cutContent(text, true, shorten));
    return copyOf(part, { stdout, stderr });
  });
  return isList(output) ? cut : cut[0];
}

/** True for a shell call that ran in the provider's container, which needs no output item. @param {any} item */
const needsNoOutput = ({ type, environment }) => type === 'shell_call' && environment?.type === 'container';
/** The tool's name. @param {any} item a call */
const nameOf = ({ name, type }) => name ?? CALLS.get(type);

/** @param {any} item a call */
const argumentsOf = (item) => item.arguments ?? item.input ?? item.action ?? item.operation;

/** @param {any} output one part, a list, or none */
const partsOf = (output) => (isList(output) ? output : [output]);

/** True for the output of shell commands, one element for each. @param {any} output */
const isShellOutput = (output) =>
  isList(output) && output.length > 0 && output.every((run) => typeof run?.stdout === 'string');

/** @param {any} output @param {string} text */
function replacement(output, text) {
  if (typeof output === 'string') return text;
  if (isShellOutput(output)) {
    return copyOfList(output).map((run, at) => copyOf(run, { stdout: at === 0 ? text : '', stderr: '' }));
  }
  return isList(output) ? [{ type: 'input_text', text }] : { type: 'text', text };
}

/** True for an item of the model's output. @param {any} item */
function isOfModel(item) {
  if (item === null || typeof item !== 'object') return false;
  const { type, role } = item;
  if (role !== undefined) return role === 'assistant';
  return type === 'reasoning' || (typeof type === 'string' && type.endsWith('_call'));
}

module.exports = responses;
