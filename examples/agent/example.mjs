// @ts-check
/** Runs one of the example agents against the mock provider: without palimpsest, and with it under each price list. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { node22 } from '../../scripts/programs.mjs';
import { startProvider } from '../provider/provider.mjs';
import { timeAfter } from './clock.mjs';
import { STEPS, work } from './work.mjs';

/**
 * @typedef {import('palimpsest').PricePreset} Price
 * @typedef {import('../provider/prompt-cache.mjs').Billed} Billed
 * @typedef {{ code: number | null, output: string, requests: import('../provider/provider.mjs').Received[], bill: (price: Price) => Billed }} Run
 */

const CLOCK = new URL('clock-of-requests.mjs', import.meta.url).href;
const examples = fileURLToPath(new URL('..', import.meta.url));

/** SDKs that have an example agent, by folder. */
export const SDKS = readdirSync(examples).filter((name) => existsSync(`${examples}${name}/agent.mjs`));

/**
 * Runs an agent. Its program gets the provider's address in `PROVIDER_URL`. If it shall use palimpsest, it gets the price list
 * in `PRICE`.
 * @param {string} sdk
 * @param {{ price?: Price, steps?: number }} [options] `price`: runs with palimpsest under this price list
 * @returns {Promise<Run>}
 */
export async function runAgent(sdk, { price, steps = STEPS } = {}) {
  const clock = () => timeAfter((provider?.requests.length ?? 1) - 1);
  /** @type {Awaited<ReturnType<typeof startProvider>> | undefined} */
  let provider;
  provider = await startProvider({ script: work(steps), clock, ...(price && { price }) });
  try {
    const env = { ...process.env, PROVIDER_URL: provider.url, ...(price && { PRICE: price }) };
    const { code, output } = await exitOf(spawn(node22(), ['--import', CLOCK, `${examples}${sdk}/agent.mjs`], { env }));
    return { code, output, requests: provider.requests, bill: provider.bill };
  } finally {
    provider.close();
  }
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<{ code: number | null, output: string }>} */
function exitOf(child) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}
