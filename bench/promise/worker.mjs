// @ts-check
/**
 * A thread that plays sessions. One task is all plays of a session in a scenario, so that its texts are counted once.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { outcomesOf } from './outcomes.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { sessionGroups } from './sessions.mjs';

/** @typedef {{ scenario: string, session: string, prices: string[] }} Task */

const groups = sessionGroups(workerData.isSmall);

parentPort?.on('message', (/** @type {Task} */ { scenario: scenarioName, session: sessionName, prices }) => {
  const scenario = SCENARIOS.find(({ name }) => name === scenarioName);
  const session = Object.values(groups)
    .flat()
    .find(({ name }) => name === sessionName);
  if (scenario === undefined || session === undefined) throw new Error(`no ${scenarioName} with ${sessionName}`);
  parentPort?.postMessage(outcomesOf(scenario, session, prices));
});
