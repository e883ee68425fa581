// @ts-check
/**
 * Validates the `contents` of a request like a strict Gemini endpoint.
 *
 * According to the provider's documentation of function calling and thought signatures, and to the API's error
 * messages:
 *
 * - The user comes first, then model and user alternate. No content is without parts, and a part contains one thing; an
 *   empty text is allowed only to carry a signature.
 * - `functionCall` parts are the model's, `functionResponse` parts the user's. The content after calls starts with as
 *   many responses as there are calls; no other content has responses.
 * - A response has its call's name, and its id if the call has one. Without ids responses are in the order of the
 *   calls. Arguments and responses are objects.
 * - If the model signs at all, the first call of each step since the user's last request has its unchanged
 *   `thoughtSignature` (Gemini 3 rejects others; older turns may lack it).
 */
import { isForged } from './signatures.mjs';
import { isObject, problemsBy, Validator } from './validator.mjs';

const DATA = [
  'text inlineData fileData functionCall functionResponse executableCode codeExecutionResult toolCall toolResponse',
].flatMap((names) => names.split(' '));

const partsOf = (/** @type {any} */ content) => (Array.isArray(content?.parts) ? content.parts : []);
const holding = (/** @type {any} */ content, /** @type {string} */ field) =>
  partsOf(content).filter((/** @type {any} */ part) => part?.[field] !== undefined);

/** The content that a signature is computed from: the call, or else the text. @param {any} part */
export const signedText = ({ functionCall, text }) =>
  functionCall === undefined ? (text ?? '') : JSON.stringify([functionCall.name, functionCall.args]);

class Contents extends Validator {
  /** @param {readonly any[]} contents @param {boolean} isPendingAllowed */
  constructor(contents, isPendingAllowed) {
    super(contents, isPendingAllowed);
    this.lastModel = contents.findLastIndex((content) => content?.role === 'model');
    const isRequest = (/** @type {any} */ content) =>
      content?.role === 'user' &&
      partsOf(content).some((/** @type {any} */ part) => part?.functionResponse === undefined);
    this.lastRequest = contents.findLastIndex(isRequest);
    this.isSigned = contents.some((content) => holding(content, 'thoughtSignature').length > 0);
  }

  check() {
    for (const [index, content] of this.messages.entries()) {
      const place = `contents[${index}]`;
      if (!['user', 'model'].includes(content?.role)) this.report(place, 'an unknown role');
      else if (index === 0 && content.role !== 'user') this.report(place, "the first content isn't the user's");
      else if (index > 0 && content.role === this.messages[index - 1]?.role)
        this.report(place, 'two consecutive messages with the same role');
      else this.#content(index, content);
    }
    return this.problems;
  }

  /** @param {number} index @param {any} content */
  #content(index, content) {
    const place = `contents[${index}]`;
    if (partsOf(content).length === 0) this.report(place, 'a content without parts');
    for (const [at, part] of partsOf(content).entries()) this.#part(`${place}.parts[${at}]`, content.role, part);
    if (content.role === 'user') return this.#responses(index, content);
    if (this.isSigned && index > this.lastRequest) this.#signed(place, content);
    const isUnanswered = this.messages[index + 1] === undefined && holding(content, 'functionCall').length > 0;
    if (isUnanswered && !this.isPendingAllowed) this.report(place, 'calls without responses');
  }

  /** @param {string} place @param {string} role @param {any} part */
  #part(place, role, part) {
    const fields = DATA.filter((field) => part?.[field] !== undefined);
    if (fields.length !== 1) return this.report(place, `a part with ${fields.length} fields`);
    const { text, functionCall, functionResponse, thoughtSignature } = part;
    if (text === '' && thoughtSignature === undefined) this.report(place, 'an empty text');
    if (functionCall !== undefined && role !== 'model') this.report(place, "a call that isn't the model's");
    if (functionResponse !== undefined && role !== 'user') this.report(place, "a response that isn't the user's");
    if (functionCall?.args !== undefined && !isObject(functionCall.args))
      this.report(place, 'arguments that are not an object');
    if (functionResponse !== undefined && !isObject(functionResponse.response))
      this.report(place, 'a response that is not an object');
    if (thoughtSignature !== undefined && isForged(thoughtSignature, signedText(part)))
      this.report(place, 'a wrong signature');
  }

  /** @param {string} place @param {any} content */
  #signed(place, content) {
    const [first] = holding(content, 'functionCall');
    if (first !== undefined && first.thoughtSignature === undefined)
      this.report(place, 'the first call of a step without its signature');
  }

  /** @param {number} index @param {any} content */
  #responses(index, content) {
    const place = `contents[${index}]`;
    const calls = holding(this.messages[index - 1], 'functionCall').map((/** @type {any} */ part) => part.functionCall);
    const parts = partsOf(content);
    const responses = holding(content, 'functionResponse').map((/** @type {any} */ part) => part.functionResponse);
    const isLast = index > this.lastModel && responses.length === parts.length && index === this.messages.length - 1;
    const isPending = this.isPendingAllowed && isLast && responses.length < calls.length;
    if (responses.length !== calls.length && !isPending)
      return this.report(place, `${responses.length} responses to ${calls.length} calls`);
    if (parts.slice(0, responses.length).some((/** @type {any} */ part) => part?.functionResponse === undefined))
      this.report(place, 'a response after a part that is not a response');
    this.#pairs(place, calls, responses);
  }

  /** @param {string} place @param {any[]} calls @param {any[]} responses */
  #pairs(place, calls, responses) {
    const open = [...calls];
    for (const { id, name } of responses) {
      const at = id === undefined ? 0 : open.findIndex((call) => call.id === id);
      const [call] = at < 0 ? [] : open.splice(at, 1);
      if (call === undefined || call.id !== id) this.report(place, 'a response without a call in the previous content');
      else if (call.name !== name) this.report(place, "a response with another function's name");
    }
  }
}

export const problemsIn = problemsBy(Contents);
