// @ts-check
/**
 * Converts a neutral session to every dialect and maps parts of messages back to the session's results, so that the
 * decisions about one session can be compared between dialects.
 *
 * To add a dialect, add a file to `dialects/` that writes it, one to `providers/` that validates it with examples in
 * `../fixtures/provider-requests/`, and an entry in {@link DIALECTS}.
 */
import { isDeepStrictEqual } from 'node:util';
import * as aiSdk from './dialects/ai-sdk.mjs';
import * as anthropic from './dialects/anthropic.mjs';
import * as bedrock from './dialects/bedrock.mjs';
import * as gemini from './dialects/gemini.mjs';
import * as langchain from './dialects/langchain.mjs';
import * as openAiAgents from './dialects/openai-agents.mjs';
import * as openAiChat from './dialects/openai-chat.mjs';
import * as openAiResponses from './dialects/openai-responses.mjs';
import * as opencode from './dialects/opencode.mjs';
import * as pi from './dialects/pi.mjs';
import * as aiSdkPackage from './providers/ai-sdk.mjs';
import * as anthropicApi from './providers/anthropic.mjs';
import * as bedrockApi from './providers/bedrock.mjs';
import * as geminiApi from './providers/gemini.mjs';
import * as langchainPackage from './providers/langchain.mjs';
import * as openAiAgentsPackage from './providers/openai-agents.mjs';
import * as openAiChatApi from './providers/openai-chat.mjs';
import * as openAiResponsesApi from './providers/openai-responses.mjs';
import * as opencodeAgent from './providers/opencode.mjs';
import * as piAgent from './providers/pi.mjs';

/**
 * @typedef {import('./neutral-sessions.mjs').NeutralSession} NeutralSession
 * @typedef {import('./neutral-sessions.mjs').Step} Step
 * @typedef {import('./neutral-sessions.mjs').Call} Call
 *
 * @typedef {object} Dialect
 * @property {(text: string) => any[]} system
 * @property {(texts: string[]) => any[]} user
 * @property {(step: Step) => any[]} assistant
 * @property {(calls: Call[], time: object) => any[]} results
 * @property {(message: any) => { id: any, part: any }[]} resultsOf a message's results, in order
 * @property {(message: any) => any[]} callsOf ids of a message's calls
 * @property {(part: any) => unknown} outputOf the tool's output
 * @property {(part: any, text: string) => void} replaceOutput writes a rule's replacement text into a copy
 * @property {(messages: any[], next: any[]) => any[]} [joined] merges consecutive messages with the same role
 * @property {(message: any) => any} [copied] copies a message, if a plain copy isn't valid
 *
 * @typedef {{ key: string, message: number, part: number }} Place position of a result: index of the message, and index
 *   among its results
 * @typedef {{ dialect: string, messages: any[], places: Place[] }} Converted
 */

/** @type {Record<string, Dialect & { problemsIn: (messages: readonly any[], options?: { pendingTurn?: boolean }) => string[] }>} */
export const DIALECTS = {
  'openai-chat': { ...openAiChat, problemsIn: openAiChatApi.problemsIn },
  anthropic: { ...anthropic, problemsIn: anthropicApi.problemsIn },
  'ai-sdk': { ...aiSdk, problemsIn: aiSdkPackage.problemsIn },
  'openai-responses': { ...openAiResponses, problemsIn: openAiResponsesApi.problemsIn },
  'openai-agents': { ...openAiAgents, problemsIn: openAiAgentsPackage.problemsIn },
  bedrock: { ...bedrock, problemsIn: bedrockApi.problemsIn },
  gemini: { ...gemini, problemsIn: geminiApi.problemsIn },
  'gemini without ids': { ...gemini, ...gemini.withoutCallIds, problemsIn: geminiApi.problemsIn },
  langchain: { ...langchain, problemsIn: langchainPackage.problemsIn },
  'langchain as JSON': { ...langchain, ...langchain.serialized, problemsIn: langchainPackage.problemsIn },
  opencode: { ...opencode, problemsIn: opencodeAgent.problemsIn },
  pi: { ...pi, problemsIn: piAgent.problemsIn },
};

/** @param {string} dialect */
function form(dialect) {
  const found = DIALECTS[dialect];
  if (found === undefined) throw new RangeError(`no dialect ${dialect}`);
  return found;
}

/**
 * @param {NeutralSession} session
 * @param {string} dialect
 * @param {{ times?: boolean }} [options] `times`: messages with results get a `timestamp` in ms, as applications add
 * @returns {Converted}
 */
export function convert(session, dialect, { times = false } = {}) {
  const { system, user, assistant, results, resultsOf, joined = (all, next) => [...all, ...next] } = form(dialect);
  let messages = system(session.system);
  const keys = [];
  for (const step of session.steps) {
    if (step.kind === 'user') {
      messages = joined(messages, user(step.texts));
      continue;
    }
    const answered = step.calls.filter(({ outcome }) => outcome !== null);
    keys.push(...answered.map(({ key }) => key));
    messages = joined(messages, assistant(step));
    messages = joined(messages, results(answered, times ? { timestamp: step.time } : {}));
  }
  const places = messages.flatMap((each, message) => resultsOf(each).map((_, part) => ({ message, part })));
  if (places.length !== keys.length) throw new Error(`${dialect}: ${keys.length} results, ${places.length} places`);
  return { dialect, messages, places: places.map((place, index) => ({ key: keys[index] ?? '', ...place })) };
}

/**
 * Copies that can be modified.
 * @param {string} dialect
 * @param {readonly any[]} messages
 */
export const copies = (dialect, messages) =>
  messages.map((message) => (form(dialect).copied ?? structuredClone)(message));

/**
 * The current output of a result.
 * @param {string} dialect
 * @param {readonly any[]} messages
 * @param {Place} place
 */
export const resultAt = (dialect, messages, { message, part }) =>
  form(dialect).resultsOf(messages[message])[part]?.part;

/**
 * Keys of the results whose output changed. `after` must be the converted messages or their copies, at the same
 * indexes. After messages were removed, use {@link idsIn}.
 * @param {Converted} before
 * @param {readonly any[]} after
 * @returns {string[]}
 */
export function changedResults({ dialect, messages, places }, after) {
  const { outputOf } = form(dialect);
  return places
    .filter((place) => {
      const [was, is] = [messages, after].map((all) => outputOf(resultAt(dialect, all, place)));
      return !isDeepStrictEqual(was, is);
    })
    .map(({ key }) => key);
}

/**
 * Ids of all calls and results, in order; also usable after messages were removed.
 * @param {string} dialect
 * @param {readonly any[]} messages
 */
export function idsIn(dialect, messages) {
  const { callsOf, resultsOf } = form(dialect);
  return {
    calls: messages.flatMap(callsOf),
    results: messages.flatMap((message) => resultsOf(message).map(({ id }) => id)),
  };
}
