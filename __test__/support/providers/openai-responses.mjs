// @ts-check
/**
 * Validates the `input` items of a request like a strict endpoint of OpenAI's Responses API with `store: false`.
 *
 * According to the SDK's types of the items, and to the API's error messages:
 *
 * - Each call (`function_call`, `custom_tool_call`, `local_shell_call`, `shell_call`, `apply_patch_call`,
 *   `computer_call`) has one output of its own kind with its `call_id` after it. A `local_shell_call_output` names the
 *   call in `id`. Every `call_id` and every `id` is unique.
 * - A `reasoning` item has an id and a summary, which may be empty. Directly after it comes the model's item that it
 *   led to: not a request, a tool's output, or the end. An item that had reasoning has its `reasoning` item before it.
 *   Only the server knows which items had one, so ids in tests name it (`…_after_rs_1`).
 * - Ids have the prefix of their kind: `fc`, `msg`, `rs`. A status is `in_progress`, `completed` or `incomplete`.
 * - Arguments are text. An output is text, or parts `input_text`, `input_image`, `input_file`; messages contain parts
 *   of their role (`output_text` and `refusal` are the assistant's), and none is empty.
 *
 * Stricter than the API: outputs come before the next request. Encrypted reasoning is unchanged.
 */
import { isForged } from './signatures.mjs';
import { problemsBy, Validator } from './validator.mjs';

/** Kinds of calls, with the kind of their output. */
const OUTPUTS = new Map(
  ['custom_tool_call', 'function_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'computer_call'].map(
    (kind) => /** @type {const} */ ([kind, `${kind}_output`]),
  ),
);
/** @type {Set<string>} */
const OUTPUT_KINDS = new Set(OUTPUTS.values());
/** Items that the provider runs itself or that belong to no turn; they need no output. */
const OTHERS = new Set(
  'web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools mcp_approval_request mcp_approval_response item_reference compaction'.split(
    ' ',
  ),
);
const PREFIXES = new Map([
  ['function_call', 'fc'],
  ['message', 'msg'],
  ['reasoning', 'rs'],
]);
const STATUSES = new Set([undefined, null, 'in_progress', 'completed', 'incomplete']);
const INPUT_PARTS = new Set(['input_text', 'input_image', 'input_file', 'input_audio']);
const OUTPUT_PARTS = new Set(['output_text', 'refusal']);

const kindOf = (/** @type {any} */ item) => item?.type ?? (item?.role === undefined ? undefined : 'message');
const callIdOf = (/** @type {any} */ item) => item.call_id ?? item.id;
const isRequest = (/** @type {any} */ item) => kindOf(item) === 'message' && item.role !== 'assistant';
/** True for the model's own items. */
const isModels = (/** @type {any} */ item) =>
  OUTPUTS.has(kindOf(item)) ||
  (kindOf(item) === 'message' && item.role === 'assistant') ||
  (OTHERS.has(kindOf(item)) && kindOf(item) !== 'mcp_approval_response');

class Input extends Validator {
  /** Calls without an output, by `call_id`, with the expected kind of output. @type {Map<any, string>} */
  #open = new Map();
  #callIds = new Set();
  #ids = new Set();

  check() {
    for (const [index, item] of this.messages.entries()) this.#item(index, `input[${index}]`, item);
    if (this.#open.size > 0 && !this.isPendingAllowed) this.report('the end', 'an earlier call has no output');
    return this.problems;
  }

  /** @param {number} index @param {string} place @param {any} item */
  #item(index, place, item) {
    const kind = kindOf(item);
    if (isRequest(item) && this.#open.size > 0) {
      this.report(place, 'an earlier call has no output');
      this.#open.clear();
    }
    if (kind === 'message') this.#message(place, item);
    else if (kind === 'reasoning') this.#reasoning(place, item, this.messages[index + 1]);
    else if (OUTPUTS.has(kind)) this.#call(place, kind, item);
    else if (OUTPUT_KINDS.has(kind)) this.#output(place, kind, item);
    else if (!OTHERS.has(kind)) return this.report(place, 'an unknown kind of item');
    this.#identity(index, place, kind, item);
  }

  /** @param {number} index @param {string} place @param {string} kind @param {any} item */
  #identity(index, place, kind, { id, status }) {
    if (!STATUSES.has(status)) this.report(place, 'an unknown status');
    if (id === undefined || id === null || OUTPUT_KINDS.has(kind)) return;
    if (this.#ids.has(id)) this.report(place, 'a duplicate item id');
    this.#ids.add(id);
    const prefix = PREFIXES.get(kind);
    if (typeof id !== 'string' || (prefix !== undefined && !id.startsWith(prefix)))
      return this.report(place, 'an id with a wrong prefix');
    const reasoned = /_after_(rs_\w+)$/.exec(id)?.[1];
    if (reasoned !== undefined && this.messages[index - 1]?.id !== reasoned)
      this.report(place, 'the reasoning item before it is missing');
  }

  /** @param {string} place @param {any} item */
  #message(place, { role, content }) {
    if (!['user', 'assistant', 'system', 'developer'].includes(role)) return this.report(place, 'an unknown role');
    if (typeof content !== 'string' && !Array.isArray(content)) return this.report(place, 'content of a wrong type');
    if (content.length === 0) this.report(place, 'an empty message');
    const allowed = role === 'assistant' ? OUTPUT_PARTS : INPUT_PARTS;
    if (typeof content !== 'string') this.#parts(place, content, allowed);
  }

  /** @param {string} place @param {any[]} parts @param {Set<string>} allowed */
  #parts(place, parts, allowed) {
    for (const part of parts) {
      if (!allowed.has(part?.type)) this.report(place, 'a part of a wrong type');
      else if (/_text$/.test(part.type) && typeof part.text !== 'string')
        this.report(place, 'a text part without text');
    }
  }

  /** @param {string} place @param {any} item @param {any} next */
  #reasoning(place, { id, summary, encrypted_content: encrypted }, next) {
    if (typeof id !== 'string') this.report(place, 'reasoning without an id');
    if (!Array.isArray(summary)) return this.report(place, 'reasoning without a summary');
    if (!isModels(next)) this.report(place, "reasoning without the model's item after it");
    const text = summary.map((part) => part?.text).join('\n');
    if (encrypted !== undefined && encrypted !== null && isForged(encrypted, text))
      this.report(place, 'reasoning with a wrong signature');
  }

  /** @param {string} place @param {string} kind @param {any} item */
  #call(place, kind, item) {
    const id = callIdOf(item);
    if (typeof id !== 'string' || id === '') this.report(place, 'a call without an id');
    if (this.#callIds.has(id)) this.report(place, 'a duplicate call id');
    this.#callIds.add(id);
    this.#open.set(id, OUTPUTS.get(kind) ?? '');
    if (kind === 'function_call' && typeof item.arguments !== 'string')
      this.report(place, 'arguments that are not text');
    if (kind === 'custom_tool_call' && typeof item.input !== 'string') this.report(place, 'an input that is not text');
    if (/^(function|custom_tool)_call$/.test(kind) && typeof item.name !== 'string')
      this.report(place, 'a call without a name');
  }

  /** @param {string} place @param {string} kind @param {any} item */
  #output(place, kind, item) {
    const id = callIdOf(item);
    if (!this.#callIds.has(id)) this.report(place, 'an output without a call before it');
    else if (!this.#open.has(id)) this.report(place, 'a second output, or one after the next request');
    else if (this.#open.get(id) !== kind) this.report(place, 'an output of the wrong kind');
    this.#open.delete(id);
    if (kind === 'computer_call_output' || kind === 'shell_call_output') return;
    if (Array.isArray(item.output) && kind !== 'local_shell_call_output') this.#parts(place, item.output, INPUT_PARTS);
    else if (typeof item.output !== 'string' && kind !== 'apply_patch_call_output')
      this.report(place, 'an output of a wrong type');
  }
}

export const problemsIn = problemsBy(Input);
