// @ts-check
/** Reports a fleet's run: the cost of each variant, and the differences from a single machine without interruptions. */
import { isDeepStrictEqual } from 'node:util';
import { accountOf, compared } from './account.mjs';
import { storedMessages } from './conversation.mjs';
import { partsOf } from './machine.mjs';

/**
 * @typedef {{ what: string, found: string | number, isMet: boolean }} Check
 * @typedef {Awaited<ReturnType<typeof import('./run.mjs').runFleet>>} Run
 * @param {Run} run
 */
export function reportOf(run) {
  const { conversations, steps, alone, forgetful, keeping, fleet } = run;
  const rows = {
    'doing nothing': accountOf(unmodified(conversations, steps), []),
    'one machine': accountOf(alone.requests, alone.summaries),
    'fleet without a store': accountOf(forgetful.requests, forgetful.summaries),
    'its host keeps summaries': accountOf(keeping.requests, keeping.summaries),
    'fleet with PostgreSQL': accountOf(fleet.requests, fleet.summaries),
  };
  return { rows, checks: checksOf(run), kills: fleet.kills };
}

/**
 * Compares the fleet with a single machine without interruptions.
 * @param {Pick<Run, 'conversations' | 'alone' | 'fleet' | 'archived' | 'restored' | 'integrity'>} run
 * @returns {Check[]}
 */
export function checksOf({ conversations, alone, fleet, archived, restored, integrity }) {
  const { lost, differing } = compared(fleet.requests, alone.requests);
  const isSame = isDeepStrictEqual(archived, alone.archived);
  const changes = accountOf(fleet.requests, []).changes - accountOf(alone.requests, []).changes;
  return [
    { what: 'requests lost', found: lost, isMet: lost === 0 },
    { what: 'requests with other bytes than one machine sends', found: differing, isMet: differing === 0 },
    { what: 'batches in the archive are those of one machine', found: isSame ? 'yes' : 'no', isMet: isSame },
    { what: 'conversations that come back whole', found: restored, isMet: restored === conversations },
    { what: 'damaged batches', found: integrity.problems.length, isMet: integrity.ok },
    { what: 'changes of prefixes beyond those of one machine', found: changes, isMet: changes === 0 },
  ];
}

/** @param {number} conversations @param {number} steps @returns {import('./fleet.mjs').Request[]} */
function unmodified(conversations, steps) {
  return Array.from({ length: conversations * steps }, (_, index) => {
    const [conversation, step] = [Math.floor(index / steps), index % steps];
    return {
      conversation,
      step,
      sent: { parts: partsOf(storedMessages(conversation, step)), saved: undefined, tookMs: 0 },
    };
  });
}

/** @param {ReturnType<typeof reportOf>} report */
export function textOf({ rows, checks, kills }) {
  const base = rows['doing nothing'].cost;
  const line = (/** @type {readonly string[]} */ [name = '', ...cells]) =>
    name.padEnd(26) + cells.map((cell) => cell.padStart(12)).join('');
  const count = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US');
  const lines = Object.entries(rows).map(([name, { requests, tokens, changes, summaries, cost }]) =>
    line([name, ...[requests, tokens, changes, summaries, cost].map(count), (cost / base).toFixed(2)]),
  );
  return [
    line(['', 'requests', 'tokens sent', 'changes', 'summaries', 'cost', '']),
    ...lines,
    '',
    `With the store ${kills} processes were killed, and its server restarted once.`,
    ...checks.map(({ what, found, isMet }) => `${isMet ? 'ok    ' : 'FAILED'}  ${what}: ${found}`),
  ].join('\n');
}
