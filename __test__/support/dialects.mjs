// @ts-check
/**
 * One neutral session in every dialect, and back: which result of the session a part of a message stands for, and what
 * has become of it. So the decisions about one session can be compared between dialects.
 *
 * A further dialect is a file in `dialects/` that writes it, one in `providers/` that judges it with examples in
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
 * @property {(message: any) => { id: any, part: any }[]} resultsOf the results that a message holds, in its order
 * @property {(message: any) => any[]} callsOf the ids of the calls that a message holds
 * @property {(part: any) => unknown} outputOf what the tool said
 * @property {(part: any, text: string) => void} replaceOutput writes what a rule would leave into a copy
 * @property {(messages: any[], next: any[]) => any[]} [joined] where messages of one role are one
 * @property {(message: any) => any} [copied] a copy that the dialect takes, where a plain one isn't
 *
 * @typedef {{ key: string, message: number, part: number }} Place of a result: the message's index, and which of its
 *   results it is
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
  'gemini without ids': { ...gemini, ...gemini.idless, problemsIn: geminiApi.problemsIn },
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
 * @param {{ times?: boolean }} [options] `times`: what holds results has a `timestamp` in ms, as hosts add one
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
 * Copies that may be written to.
 * @param {string} dialect
 * @param {readonly any[]} messages
 */
export const copies = (dialect, messages) =>
  messages.map((message) => (form(dialect).copied ?? structuredClone)(message));

/**
 * What the result at a place is now.
 * @param {string} dialect
 * @param {readonly any[]} messages
 * @param {Place} place
 */
export const resultAt = (dialect, messages, { message, part }) =>
  form(dialect).resultsOf(messages[message])[part]?.part;

/**
 * The keys of the results that say something else than before. The messages must be those that were converted or copies
 * in their places; where messages have gone, see {@link idsIn}.
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
 * The ids of the calls and of the results that messages hold, in order: what is left where some have gone.
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
