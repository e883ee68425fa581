// @ts-check
/** Plays one session in one scenario with each host and price list. */
import { playCompacting } from './compacting-host.mjs';
import { PreparedSession, play } from './play.mjs';
import { BOTH } from './scenarios.mjs';

/**
 * @typedef {import('./hosts.mjs').Hosting} Hosting
 * @typedef {import('./play.mjs').Scenario} Scenario
 * @typedef {{ host: string, price: string, outcome: import('./tally.mjs').Outcome }} Result
 */

/** @param {Hosting} hosting */
function hostName({ kind, arrivalTimes }) {
  if (kind === 'views') return 'ContextViews';
  return arrivalTimes === false ? "ContextView, messages' times" : 'ContextView';
}

/**
 * Plays a session.
 * @param {Scenario} scenario
 * @param {import('./sessions.mjs').Session} session
 * @param {readonly string[]} prices
 * @returns {Result[]}
 */
export function outcomesOf(scenario, session, prices) {
  if (scenario.compacts === true) return compacted(scenario, session, prices);
  const prepared = new PreparedSession(session, scenario);
  return prices.flatMap((price) =>
    (scenario.hostings ?? BOTH).map((hosting) => {
      const played = play(prepared, price, hosting);
      const { sent, ...figures } = played;
      const outcome = {
        ...figures,
        // Compared here; too large to send to another thread.
        sent: [],
        session: session.name,
        otherBytes: isCompared(hosting) ? otherBytes(prepared, price, hosting, sent) : null,
        isLedgerWhole: !isCompared(hosting) || played.ledger?.requests === played.requests,
      };
      return { host: hostName(hosting), price, outcome };
    }),
  );
}

/** @param {Scenario} scenario @param {import('./sessions.mjs').Session} session @param {readonly string[]} prices @returns {Result[]} */
function compacted(scenario, session, prices) {
  return prices.flatMap((price) =>
    (scenario.hostings ?? BOTH).map((hosting) => {
      const played = playCompacting(session, scenario, price, hosting);
      // With unmodified history the application compacts at other times, which no view can know.
      const outcome = { ...played, session: session.name, otherBytes: null, isLedgerWhole: false };
      return { host: hostName(hosting), price, outcome };
    }),
  );
}

/** True if later objects replace the first; they must send the same bytes as a single object. @param {Hosting} hosting */
function isCompared({ restart = 'never' }) {
  return restart !== 'never';
}

/**
 * Number of requests that a single object would have sent differently.
 * @param {PreparedSession} prepared
 * @param {string} price
 * @param {Hosting} hosting
 * @param {readonly number[]} sent
 */
function otherBytes(prepared, price, hosting, sent) {
  const { sent: sentByOne } = play(prepared, price, { ...hosting, restart: 'never' });
  return sentByOne.filter((node, request) => node !== sent[request]).length;
}
