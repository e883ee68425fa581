// @ts-check
/** Recorded sessions, called as hosts call: with an array that grew, before each message of the assistant. */
import { loadCorpus } from '../__test__/support/corpus.mjs';
import { cleanUp, implementations, product } from './contenders.mjs';
import { faster, measure } from './runner.mjs';

export const title = 'Recorded sessions, called before each message of the assistant';

/** The recordings name their tools otherwise than the users do; without these the rules would have nothing to do. */
const OWN_TOOLS = {
  terminal: { terminalTools: ['bash', 'exec', 'terminal-execute'] },
  fileReads: { readTools: ['Read', 'read', 'read_file'], pathKeys: ['file_path', 'path'] },
};
const GOALS = [faster('product', 25), faster('prepareMessages', 40), faster('ContextView', 80)];

/**
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 * @returns {Generator<import('./runner.mjs').Row>}
 */
export function* rows({ quick, progress }) {
  const { sessions } = loadCorpus();
  if (sessions.length === 0) return;
  const chosen = quick ? sessions.filter(({ messages }) => messages.length < 100) : sessions;
  for (const session of chosen) {
    progress(session.name);
    yield playedSessions(`${session.name}, ${requestsOf(session)} requests`, [session], quick ? 3 : 9);
  }
  progress('all of them');
  const requests = chosen.reduce((sum, session) => sum + requestsOf(session), 0);
  yield playedSessions(`all sessions, ${requests} requests`, chosen, quick ? 2 : 5, quick ? [] : GOALS);
}

/** @param {import('../__test__/support/corpus.mjs').CorpusSession} session */
function requestsOf({ messages }) {
  return messages.filter(({ role }) => role === 'assistant').length;
}

/**
 * Parsed anew for each round, outside of what is timed: a session's objects are new when it begins.
 * @param {string} work
 * @param {readonly import('../__test__/support/corpus.mjs').CorpusSession[]} sessions
 * @param {number} rounds
 * @param {import('./runner.mjs').Goal[]} [goals]
 */
function playedSessions(work, sessions, rounds, goals = []) {
  const file = JSON.stringify(sessions.map(({ messages }) => messages));
  const prepare = () => JSON.parse(file);
  /** @param {() => (stored: any[], now: number) => unknown} begin what sends the requests of one session */
  const contender = (begin) => ({
    prepare,
    run: (/** @type {any[][]} */ played) => {
      for (const messages of played) play(messages, begin());
    },
  });
  const contenders = {
    ...Object.fromEntries(
      Object.entries(implementations).map(([name, made]) => [
        name,
        contender(() => (stored, now) => cleanUp(made, stored, now, OWN_TOOLS)),
      ]),
    ),
    prepareMessages: contender(() => (stored, now) => product.prepareMessages(stored, { ...OWN_TOOLS, now })),
    ContextView: contender(() => {
      const view = new product.ContextView(OWN_TOOLS);
      return (stored, now) => view.project(stored, { now });
    }),
  };
  return measure(work, contenders, { rounds, goals });
}

/**
 * @param {readonly any[]} messages
 * @param {(stored: any[], now: number) => unknown} send
 */
function play(messages, send) {
  /** @type {any[]} */
  const stored = [];
  let now = 0;
  for (const message of messages) {
    if (message.role === 'assistant') send(stored, now + 1000);
    stored.push(message);
    now = Math.max(now, message.timestamp ?? 0);
  }
}
