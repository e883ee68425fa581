// @ts-check
/** Generates a conversation's stored messages from its number, the same in every process. */

const START_MS = Date.UTC(2026, 0, 5, 9);
const STEP_MS = 25_000;
/** After this many steps the user takes a break, in which the provider's cache entry expires. */
const STEPS_PER_TURN = 12;
const BREAK_MS = 20 * 60_000;
const FILES = 6;
/** Lines of a result. Lengths differ between conversations. @param {number} conversation @param {number} step */
const linesOf = (conversation, step) => 30 + ((conversation * 7 + step * 13) % 80);

/** Time of a step's request. Each conversation has its own clock, so that runs can be compared. @param {number} step from 0 */
export function timeOf(step) {
  return START_MS + step * STEP_MS + Math.floor(step / STEPS_PER_TURN) * BREAK_MS;
}

/**
 * The messages added before a step: results of the previous request's tool calls, and sometimes a user message.
 * @param {number} conversation
 * @param {number} step from 0
 * @returns {any[]}
 */
function messagesOf(conversation, step) {
  const timestamp = timeOf(step);
  const ask = { role: 'user', content: `Look into part ${step} of task ${conversation}.`, timestamp };
  if (step === 0) return [{ role: 'system', content: 'You are an agent. Be careful. '.repeat(60) }, ask];
  const id = `call_${conversation}_${step}`;
  const path = `src/part_${(conversation + step) % FILES}.ts`;
  const call =
    step % 3 === 0
      ? { name: 'bash', arguments: JSON.stringify({ command: `npm test -- ${step}` }) }
      : { name: 'read_file', arguments: JSON.stringify({ path }) };
  const lines = Array.from(
    { length: linesOf(conversation, step) },
    (_, line) => `${line}: export const value_${line} = ${conversation * 1_000 + step};`,
  );
  return [
    { role: 'assistant', content: `Step ${step}.`, tool_calls: [{ id, type: 'function', function: call }], timestamp },
    { role: 'tool', tool_call_id: id, content: lines.join('\n'), timestamp },
    ...(step % STEPS_PER_TURN === 0 ? [{ role: 'assistant', content: `Part ${step} is done.`, timestamp }, ask] : []),
  ];
}

/**
 * Messages stored at the request of step `to`, starting at step `from`.
 * @param {number} conversation
 * @param {number} to
 * @param {number} [from]
 */
export function storedMessages(conversation, to, from = 0) {
  return Array.from({ length: to - from + 1 }, (_, index) => messagesOf(conversation, from + index)).flat();
}
