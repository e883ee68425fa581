// @ts-check
/** Plays one session in one scenario with each host and price list, so that a session's texts are counted only once. */
import { parentPort, workerData } from 'node:worker_threads';
import { outcomesOf } from './outcomes.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { sessionGroups } from './sessions.mjs';

/** @typedef {{ scenario: string, session: string, prices: string[] }} Task */

const groups = sessionGroups(workerData.isSmall);

parentPort?.on('message', (/** @type {Task} */ { scenario: name, session: wanted, prices }) => {
  const scenario = SCENARIOS.find((one) => one.name === name);
  const session = Object.values(groups)
    .flat()
    .find((one) => one.name === wanted);
  if (scenario === undefined || session === undefined) throw new Error(`no ${name} with ${wanted}`);
  parentPort?.postMessage(outcomesOf(scenario, session, prices));
});
