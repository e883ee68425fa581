// @ts-check
/** Gemini's `…/models/<model>:generateContent`, whole and streamed. Its calls have no ids. */
import { problemsIn, signedText } from '../../../__test__/support/providers/gemini.mjs';
import { signatureOf } from '../../../__test__/support/providers/signatures.mjs';

/**
 * @typedef {import('../provider.mjs').Answer} Answer
 * @typedef {import('../provider.mjs').ParsedRequest} ParsedRequest
 * @typedef {import('../provider.mjs').Usage} Usage
 */

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

export const name = 'gemini';

export const takes = (/** @type {string} */ path) => PATH.test(path);

/** @param {any} body @param {string} path @returns {ParsedRequest} */
export function read({ contents, systemInstruction, tools }, path) {
  const [, model = '', method] = PATH.exec(path) ?? [];
  return {
    model,
    messages: contents,
    stream: method === 'streamGenerateContent',
    prefix: [...(tools ?? []), ...(systemInstruction ? [systemInstruction] : []), ...contents],
    turns: contents.filter((/** @type {any} */ { role }) => role === 'model').length,
  };
}

/** @param {ParsedRequest} parsed */
export const problems = ({ messages }) => problemsIn(messages);

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export function body(answer, usage, { model }) {
  return {
    candidates: [{ content: { role: 'model', parts: parts(answer) }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: usage.total,
      cachedContentTokenCount: usage.cached,
      candidatesTokenCount: usage.completion,
      totalTokenCount: usage.total + usage.completion,
    },
    modelVersion: model,
    responseId: answer.id,
  };
}

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export const events = (answer, usage, parsed) => [{ data: body(answer, usage, parsed) }];

/** @param {string} message */
export const error = (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } });

/** Only the first call of a step has a signature. @param {Answer} answer */
function parts({ text, calls }) {
  const called = calls.map(({ name: tool, arguments: args }, index) => {
    const part = { functionCall: { name: tool, args } };
    return index === 0 ? { ...part, thoughtSignature: signatureOf(signedText(part)) } : part;
  });
  return [...(text === '' ? [] : [{ text }]), ...called];
}
