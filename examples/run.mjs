#!/usr/bin/env node
// @ts-check
/**
 * `npm run example -- <sdk>`: runs an agent that uses that SDK, with three real tools, against a mock provider on
 * loopback, without and with palimpsest, and prints the costs. SDKs that need Node.js 22 run with it.
 */
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';

/** @type {readonly import('palimpsest').PricePreset[]} */
const PRICES = ['anthropic', 'openai', 'openai-older', 'deepseek', 'gemini'];

async function main() {
  await ensureBuilt({ dev: true, verbose: process.argv.includes('--verbose') });
  // Imported late, because set-up may have to build it first.
  const { runAgent, SDKS } = await import('./agent/example.mjs');
  const { billText } = await import('./agent/bill.mjs');
  const sdk = SDKS.find((name) => process.argv.includes(name));
  if (sdk === undefined) throw new SetupError(`expected one of ${SDKS.join(', ')}`);
  const without = done(await runAgent(sdk));
  console.log(`${sdk}: ${without.requests.length} requests\n`);
  const rows = [];
  for (const price of PRICES) {
    const ours = done(await runAgent(sdk, { price }));
    rows.push({ price, without: without.bill(price), with: ours.bill(price) });
  }
  console.log(`${billText(rows)}\n\nCosts are in tokens at the base price of input.`);
}

/** @param {import('./agent/example.mjs').Run} run */
function done(run) {
  const refusal = run.requests.find(({ status }) => status !== 200);
  if (refusal !== undefined) throw new SetupError(`a request was refused: ${refusal.problems.join('; ')}`);
  if (run.code !== 0) throw new SetupError(`the agent ended with exit code ${run.code}\n${run.output}`);
  return run;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`npm run example: ${error.message}`);
  process.exitCode = 1;
}
