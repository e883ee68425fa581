// @ts-check
/** The recorded sessions converted to every dialect, prepared before each assistant message with tool calls. */
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { convert, DIALECTS } from '../__test__/support/dialects.mjs';
import { product } from './contenders.mjs';
import { faster, measure } from './runner.mjs';

export const title = 'Recorded sessions in every dialect, prepareMessages before each message that calls tools';

const OWN_TOOLS = {
  terminal: { terminalTools: ['bash', 'exec', 'terminal-execute'] },
  fileReads: { readTools: ['Read', 'read', 'read_file'], pathKeys: ['file_path', 'path'] },
};
const REFERENCE = 'openai-chat';

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const { sessions } = loadCorpus();
  const chosen = quick ? sessions.filter(({ messages }) => messages.length < 100) : sessions;
  if (chosen.length === 0) return;
  progress('dialects');
  const neutral = chosen.map(({ messages }) => neutralOf(messages));
  const contenders = Object.fromEntries(Object.keys(DIALECTS).map((dialect) => [dialect, contender(neutral, dialect)]));
  const goals = Object.keys(DIALECTS).filter((dialect) => dialect !== REFERENCE);
  yield measure('all sessions', contenders, {
    rounds: quick ? 2 : 5,
    goals: quick ? [] : goals.map((dialect) => faster(dialect, 1 / 1.5, REFERENCE)),
  });
}

/**
 * @param {readonly any[]} neutral
 * @param {string} dialect
 */
function contender(neutral, dialect) {
  const calls = DIALECTS[dialect]?.callsOf ?? (() => []);
  return {
    prepare: () => neutral.map((session) => convert(session, dialect, { times: true }).messages),
    run: (/** @type {any[][]} */ played) => {
      for (const messages of played) play(messages, (message) => calls(message).length > 0);
    },
  };
}

/**
 * @param {readonly any[]} messages
 * @param {(message: any) => boolean} asks
 */
function play(messages, asks) {
  /** @type {any[]} */
  const stored = [];
  let wasAsked = false;
  messages.forEach((message) => {
    const isAsked = asks(message);
    if (isAsked && !wasAsked) product.prepareMessages(stored, { ...OWN_TOOLS, now: Date.now() });
    wasAsked = isAsked;
    stored.push(message);
  });
}

/** Converts a chat session to the dialect-neutral form. @param {readonly any[]} messages */
function neutralOf(messages) {
  const steps = [];
  let place = 0;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') steps.push({ kind: 'user', texts: [String(message.content)] });
    if (message.role !== 'assistant') continue;
    const calls = (message.tool_calls ?? []).map((/** @type {any} */ call, /** @type {number} */ at) => {
      const result = messages.slice(index + 1).find(({ tool_call_id }) => tool_call_id === call.id);
      const isFailed = result?.messageStatus === 'error';
      const outcome = typeof result?.content === 'string' ? { texts: [result.content], image: null, isFailed } : null;
      const input = inputOf(call.function.arguments);
      return { key: `${index}.${at}`, id: `call_${index}_${at}`, name: call.function.name, input, outcome };
    });
    const texts = message.content ? [String(message.content)] : [];
    const time = message.timestamp ?? place;
    steps.push({ kind: 'assistant', place: place++, reasoning: null, texts, calls, time });
  }
  return /** @type {any} */ ({ system: 'Be brief.', steps, isPending: false, end: 0 });
}

/** @param {string} text */
function inputOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
