// @ts-check
/**
 * Checks the cost promise in ordinary use against an independent provider account, and measures the ledger's error:
 * `node bench/promise.mjs [--quick] [--scenario NAME]… [--prices NAME]… [--sessions small|all] [--json]`. Reports
 * costs, not times. `--scenario adapters` checks the SDK adapters, which takes longer.
 */
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SCENARIOS, TOGETHER } from './promise/scenarios.mjs';
import { sessionGroups } from './promise/sessions.mjs';
import { markdown, rowOf } from './promise/tally.mjs';

const PRICES = ['anthropic', 'anthropic-1h', 'openai', 'openai-older', 'deepseek', 'gemini'];
const QUICK_PRICES = ['anthropic', 'openai'];
const MAX_WORKERS = 2;

export const title = 'What sessions cost with a view in ordinary life, relative to leaving them alone';

/**
 * @typedef {import('./promise/play.mjs').Scenario} Scenario
 * @typedef {import('./promise/worker.mjs').Task} Task
 * @typedef {import('./promise/outcomes.mjs').Result} Result
 * @typedef {{ scenarios: readonly Scenario[], prices: readonly string[], isSmall: boolean, progress: (work: string) => void }} Run
 */

/** Plays all sessions in all scenarios. @param {Run} run @returns {Promise<import('./promise/tally.mjs').Row[]>} */
export async function played({ scenarios, prices, isSmall, progress }) {
  const groups = sessionGroups(isSmall);
  const pricesOf = (/** @type {Scenario} */ { prices: own }) => prices.filter((price) => own?.includes(price) ?? true);
  const tasks = scenarios.flatMap((scenario) => {
    // Longest sessions first, so that no worker is left with one at the end.
    const sessions = [...groups[scenario.sessions ?? 'usual']].sort((a, b) => b.messages.length - a.messages.length);
    return sessions.map(({ name }) => ({ scenario: scenario.name, session: name, prices: pricesOf(scenario) }));
  });
  const results = await playInThreads(tasks, isSmall, progress);
  return scenarios.flatMap((scenario) => {
    const scenarioResults = results.get(scenario.name) ?? [];
    const hosts = [...new Set(scenarioResults.map(({ host }) => host))];
    const { tools, rest } = scenario.factors ?? { tools: 1, rest: 1 };
    return pricesOf(scenario).flatMap((price) =>
      hosts.map((host) => {
        const outcomes = scenarioResults
          .filter((result) => result.host === host && result.price === price)
          .map(({ outcome }) => outcome);
        const labels = { scenario: scenario.name, host, price, isCovered: scenario.isCovered ?? true };
        return rowOf(labels, outcomes, tools === rest ? tools : 1);
      }),
    );
  });
}

/**
 * Results by scenario.
 * @param {readonly Task[]} tasks @param {boolean} isSmall @param {(work: string) => void} progress
 * @returns {Promise<Map<string, Result[]>>}
 */
async function playInThreads(tasks, isSmall, progress) {
  const queue = [...tasks];
  /** @type {Map<string, Result[]>} */ const results = new Map();
  const runWorker = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./promise/worker.mjs', import.meta.url), { workerData: { isSmall } });
      let task = queue.shift();
      worker.on('error', reject);
      worker.on('message', (/** @type {Result[]} */ taskResults) => {
        const name = task?.scenario ?? '';
        if (!results.has(name)) progress(name);
        results.set(name, [...(results.get(name) ?? []), ...taskResults]);
        task = queue.shift();
        if (task !== undefined) worker.postMessage(task);
        else resolve(worker.terminate());
      });
      if (task !== undefined) worker.postMessage(task);
      else resolve(worker.terminate());
    });
  await Promise.all(Array.from({ length: Math.min(MAX_WORKERS, availableParallelism()) }, runWorker));
  return results;
}

/**
 * For `npm run bench`. `quick` plays only the scenario with all events together.
 * @param {{ quick: boolean, progress: (work: string) => void }} run
 */
export async function* rows({ quick, progress }) {
  const [scenarios, prices] = quick ? [TOGETHER, QUICK_PRICES] : [SCENARIOS, PRICES];
  yield* await played({ scenarios, prices, isSmall: quick, progress });
}

export { markdown, markdown as table };

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      scenario: { type: 'string', multiple: true },
      prices: { type: 'string', multiple: true },
      sessions: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const wanted = values.scenario;
  const scenarios = SCENARIOS.filter(({ name }) => wanted?.some((part) => name.includes(part)) ?? true);
  const prices = values.prices ?? (values.quick ? QUICK_PRICES : PRICES);
  const isSmall = values.quick ? values.sessions !== 'all' : values.sessions === 'small';
  const progress = (/** @type {string} */ work) => process.stderr.write(`${work} …\n`);
  const throughSdks = wanted?.includes('adapters') ? await import('./promise/adapters.mjs') : undefined;
  const table = throughSdks
    ? await throughSdks.adapterRows({ prices: values.prices, isSmall, progress })
    : await played({ scenarios, prices, isSmall, progress });
  const printed = throughSdks?.adapterTable ?? markdown;
  process.stdout.write(`${values.json ? JSON.stringify(table, null, 2) : printed(table)}\n`);
}
