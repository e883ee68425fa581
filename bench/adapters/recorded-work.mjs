// @ts-check
/**
 * Converts a recorded session to work that can be replayed: user messages, assistant messages, and the result of each
 * tool call.
 */
import { loadCorpus } from '../../__test__/support/corpus.mjs';

/**
 * @typedef {{ name: string, arguments: any, text: string, isFailed: boolean, timeMs: number }} RecordedCall
 * @typedef {{ text: string, calls: RecordedCall[], askedMs: number, timeMs: number }} RecordedAnswer an assistant message; `askedMs`: when it was requested
 * @typedef {{ user: string, timeMs: number, answers: RecordedAnswer[] }} RecordedTurn
 * @typedef {{ name: string, tools: string[], turns: RecordedTurn[], ages?: Partial<Record<import('palimpsest').ResultKind, number>> }} RecordedWork
 */

/** A session with a medium gain from removing outdated results, neither the largest nor none. */
const SESSION = 'p09_xlarge_ansi';
const STEPS = 200;

/**
 * The first `steps` assistant messages of a session of the corpus.
 * @param {{ session?: string | undefined, steps?: number | undefined }} [selection]
 * @returns {RecordedWork | undefined} undefined if the session is missing
 */
export function recordedWork({ session = SESSION, steps = STEPS } = {}) {
  const messages = loadCorpus().sessions.find(({ name }) => name === session)?.messages;
  return messages && workOf(session, messages, steps);
}

/**
 * The first `steps` assistant messages of a session of chat messages.
 * @param {string} name
 * @param {readonly any[]} messages
 * @param {number} steps
 * @returns {RecordedWork}
 */
export function workOf(name, messages, steps) {
  /** @type {RecordedTurn[]} */
  const turns = [];
  let [stepsLeft, previousMs] = [steps, 0];
  for (const [index, message] of messages.entries()) {
    const last = turns.at(-1);
    if (message.role === 'user') {
      // Two user messages without an assistant message in between become one.
      if (last?.answers.length === 0) last.user += `\n${textOf(message.content)}`;
      else turns.push({ user: textOf(message.content), timeMs: message.timestamp, answers: [] });
    } else if (message.role === 'assistant' && last !== undefined) {
      const answer = answerOf(messages, index, previousMs);
      if (answer.text === '' && answer.calls.length === 0) continue;
      const previous = last.answers.at(-1);
      // An SDK's run ends with an assistant message without tool calls. If the recorded agent went on, merge it with the next.
      if (previous?.calls.length === 0) last.answers.pop();
      else if (stepsLeft-- === 0) break;
      last.answers.push(
        previous?.calls.length === 0 ? { ...answer, text: `${previous.text}\n${answer.text}` } : answer,
      );
    }
    previousMs = message.timestamp;
  }
  const answered = turns.filter(({ answers }) => answers.length > 0);
  const calls = answered.flatMap(({ answers }) => answers.flatMap((answer) => answer.calls));
  return { name, tools: [...new Set(calls.map(({ name }) => name))].sort(), turns: answered };
}

/** @param {readonly any[]} messages @param {number} index @param {number} askedMs @returns {RecordedAnswer} */
function answerOf(messages, index, askedMs) {
  const { content, tool_calls: declared = [], timestamp } = messages[index];
  const calls = declared.flatMap((/** @type {any} */ { id, function: { name, arguments: given } }) => {
    const result = messages.find(
      (other, otherIndex) => otherIndex > index && other.role === 'tool' && other.tool_call_id === id,
    );
    if (result === undefined) return [];
    const isFailed = result.messageStatus === 'error';
    return [{ name, arguments: parsed(given), text: textOf(result.content), isFailed, timeMs: result.timestamp }];
  });
  return { text: textOf(content), calls, askedMs, timeMs: timestamp };
}

/** @param {unknown} content @returns {string} text without images, because not every SDK supports images in results */
function textOf(content) {
  if (!Array.isArray(content)) return String(content ?? '');
  return content.map((part) => part.text ?? '').join('\n');
}

/** @param {string} given arguments as the model wrote them (JSON text) */
function parsed(given) {
  try {
    return JSON.parse(given);
  } catch {
    return { input: given };
  }
}
