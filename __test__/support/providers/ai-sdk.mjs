// @ts-check
/**
 * Validates `ModelMessage[]` for the package `ai` (5 to 7) and its providers.
 *
 * According to the schemas of its messages and its conversion of messages to a prompt (which throws
 * `AI_InvalidPromptError` and `AI_MissingToolResultsError`):
 *
 * - `system`: text. `user`: text, or parts `text`, `image`, `file`. `assistant`: text, or parts `text`, `file`,
 *   `reasoning`, `reasoning-file`, `custom`, `tool-call`, `tool-result`, `tool-approval-request`. `tool`: parts
 *   `tool-result`, `tool-approval-response`. There is no part `tool-error`: a failure is a `tool-result` whose output
 *   says so.
 * - An output has a type: `text`, `error-text` (a string), `json`, `error-json` (any JSON value), `execution-denied`
 *   (with an optional reason), `content` (parts).
 * - A call that isn't `providerExecuted` has its result before the next user or system message, and before the end.
 *   Exception: calls that await a decision, for which the last assistant message has a `tool-approval-request`.
 * - `providerExecuted` results are in the assistant message, after their call.
 *
 * Stricter than the package, as its providers are:
 *
 * - Results are in the `tool` messages directly after the assistant message with their call, one per call, with the
 *   call's tool name.
 * - No message is empty after the package has removed empty texts.
 * - Signed reasoning is unchanged.
 */
import { isForged } from './signatures.mjs';
import { problemsBy, Validator } from './validator.mjs';

const PARTS = new Map([
  ['user', new Set(['text', 'image', 'file'])],
  [
    'assistant',
    new Set('text file reasoning reasoning-file custom tool-call tool-result tool-approval-request'.split(' ')),
  ],
  ['tool', new Set(['tool-result', 'tool-approval-response'])],
]);
const CONTENT_PARTS = new Set(
  'text media file file-data file-url file-id file-reference image-data image-url image-file-id image-file-reference custom'.split(
    ' ',
  ),
);

/** @param {unknown} value true if JSON can represent it */
function isJson(value) {
  if (value === null || ['string', 'boolean'].includes(typeof value)) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return typeof value === 'object' && Object.values(value ?? {}).every((each) => each === undefined || isJson(each));
}

/** @param {any} output @returns {string | null} */
function problemOfOutput(output) {
  switch (output?.type) {
    case 'text':
    case 'error-text':
      return typeof output.value === 'string' ? null : 'the output is not text';
    case 'json':
    case 'error-json':
      return isJson(output.value) ? null : 'the output is not valid JSON';
    case 'execution-denied':
      return ['string', 'undefined'].includes(typeof output.reason) ? null : 'the reason of a denial is not text';
    case 'content': {
      if (!Array.isArray(output.value)) return 'the output has no parts';
      const isPart = (/** @type {any} */ part) =>
        CONTENT_PARTS.has(part?.type) && (part.type !== 'text' || typeof part.text === 'string');
      return output.value.every(isPart) ? null : 'the output has an invalid part';
    }
    default:
      return 'an output of an unknown type';
  }
}

class Prompt extends Validator {
  /** The current assistant message's open calls, by id. @type {Map<string, string>} */ #open = new Map();
  #answered = new Set();
  #awaiting = new Set();

  check() {
    for (const [index, message] of this.messages.entries()) {
      const place = `messages[${index}]`;
      if (message?.role !== 'tool') this.#missing(place, false);
      if (message?.role === 'system') this.#system(place, message);
      else if (PARTS.has(message?.role)) this.#parts(place, message);
      else this.report(place, 'an unknown role');
    }
    this.#missing('the end', true);
    return this.problems;
  }

  /** Reports calls without a result before `place`. @param {string} place @param {boolean} isEnd */
  #missing(place, isEnd) {
    const isDue = (/** @type {string} */ id) => !(isEnd && (this.isPendingAllowed || this.#awaiting.has(id)));
    if ([...this.#open.keys()].some(isDue)) this.report(place, 'an earlier call has no result');
    this.#open.clear();
    this.#answered.clear();
    this.#awaiting.clear();
  }

  /** @param {string} place @param {any} message */
  #system(place, { content }) {
    if (typeof content !== 'string') this.report(place, "a system message that isn't text");
    else if (content === '') this.report(place, 'an empty message');
  }

  /** @param {string} place @param {any} message */
  #parts(place, { role, content }) {
    const isText = typeof content === 'string' && role !== 'tool';
    if (!isText && !Array.isArray(content)) return this.report(place, 'content of a wrong type');
    const parts = isText ? [{ type: 'text', text: content }] : [...content];
    if (parts.every((part) => part?.type === 'text' && part.text === '')) this.report(place, 'an empty message');
    const executed = new Map();
    for (const [at, part] of parts.entries()) {
      const here = isText ? place : `${place}.content[${at}]`;
      if (!PARTS.get(role)?.has(part?.type)) this.report(here, `a part that a ${role} message can't have`);
      else this.#part(here, role, part, executed);
    }
  }

  /**
   * @param {string} place @param {string} role @param {any} part
   * @param {Map<string, string>} executed calls executed by the provider
   */
  #part(place, role, part, executed) {
    if (part.type === 'text' && typeof part.text !== 'string') this.report(place, 'a text part without text');
    if (part.type === 'reasoning') this.#reasoning(place, part);
    if (part.type === 'tool-call') this.#call(place, part, executed);
    if (part.type === 'tool-result') this.#result(place, part, role === 'tool' ? this.#open : executed);
    if (part.type === 'tool-approval-request') this.#request(place, part, executed);
    if (part.type === 'tool-approval-response' && typeof part.approved !== 'boolean')
      this.report(place, 'a decision that is not a boolean');
  }

  /** @param {string} place @param {any} part */
  #reasoning(place, { text, providerOptions }) {
    if (typeof text !== 'string') return this.report(place, 'reasoning without text');
    const signature = providerOptions?.anthropic?.signature;
    if (signature !== undefined && isForged(signature, text)) this.report(place, 'reasoning with a wrong signature');
  }

  /** @param {string} place @param {any} part @param {Map<string, string>} executed */
  #call(place, { toolCallId, toolName, input, providerExecuted }, executed) {
    if (typeof toolCallId !== 'string' || toolCallId === '') this.report(place, 'a call without an id');
    if (typeof toolName !== 'string' || toolName === '') this.report(place, 'a call without a name');
    if (input === undefined) this.report(place, 'a call without input');
    const calls = providerExecuted === true ? executed : this.#open;
    if (calls.has(toolCallId)) this.report(place, 'a duplicate call id');
    calls.set(toolCallId, toolName);
  }

  /** @param {string} place @param {any} part @param {Map<string, string>} calls */
  #result(place, { toolCallId, toolName, output }, calls) {
    const problem = problemOfOutput(output);
    if (problem !== null) this.report(place, problem);
    if (this.#answered.has(toolCallId)) return this.report(place, 'a second result for the same call');
    if (!calls.has(toolCallId)) return this.report(place, 'a result without a call before it');
    if (calls.get(toolCallId) !== toolName) this.report(place, "a result with another tool's name");
    calls.delete(toolCallId);
    this.#answered.add(toolCallId);
  }

  /** @param {string} place @param {any} part @param {Map<string, string>} executed */
  #request(place, { approvalId, toolCallId }, executed) {
    if (typeof approvalId !== 'string') this.report(place, 'a request for approval without an id');
    if (!this.#open.has(toolCallId) && !executed.has(toolCallId))
      this.report(place, 'a request for approval without its call');
    this.#awaiting.add(toolCallId);
  }
}

export const problemsIn = problemsBy(Prompt);
