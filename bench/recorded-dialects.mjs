// @ts-check
/** The recorded sessions converted to every dialect, prepared before each assistant message with tool calls. */
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { convert, DIALECTS } from '../__test__/support/dialects.mjs';
import { neutralFrom } from '../__test__/support/neutral-recordings.mjs';
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
  const neutral = chosen.map(({ messages }) => neutralFrom(messages));
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
