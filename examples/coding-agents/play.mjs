// @ts-check
/** Has a coding agent work through its prompts against the mock provider, each prompt in a process of its own. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Prompts } from '../../bench/promise/prompts.mjs';
import { WireAccount } from '../../bench/promise/wire-account.mjs';
import { SetupError } from '../../scripts/ensure-built.mjs';
import { startProvider } from '../provider/provider.mjs';
import { REQUEST_MS } from './request-clock.mjs';
import { fileText, PROMPTS, scriptFor } from './work.mjs';

const START_MS = Date.UTC(2026, 0, 5, 9);

/**
 * What is known of one agent.
 * @typedef {object} Agent
 * @property {string} VERSION
 * @property {Parameters<typeof scriptFor>[0]} [tools]
 * @property {(folder: string) => Parameters<typeof scriptFor>[0]} [toolsIn] where its tools want whole paths
 * @property {string} [failing] with which every third call of the plug-in's fails; a gateway has none
 * @property {string} [dryRun] in place of a plug-in: the gateway that changes nothing
 * @property {boolean} [isBare] whether it gets no environment but its own
 * @property {readonly string[]} [apis] those that it speaks
 * @property {() => string} install
 * @property {(home: string) => string} plugin
 * @property {(given: any) => { command: string, words: string[], env: Record<string, string> }} command
 * @property {(home: string, program: string, folder: string, output: string) => { stored: unknown[], summaries: number }} stored
 */

/**
 * @typedef {object} Life
 * @property {string} [api]
 * @property {string} [price] by which the provider bills
 * @property {readonly number[]} [pausesMs] ahead of a prompt; after the last one they begin again
 * @property {number} [windowTokens]
 * @property {number} [prompts]
 * @property {boolean} [isOurs] with the plug-in
 * @property {boolean} [isFailing] every third call of the plug-in's fails
 * @property {boolean} [isDry] with the gateway that changes nothing
 */

/** @param {Agent} agent @param {Life} life */
export async function play(agent, life) {
  const { api = 'anthropic-messages', price = 'anthropic', pausesMs = [0], windowTokens = 200_000 } = life;
  const { prompts = PROMPTS, isOurs = false, isFailing = false, isDry = false } = life;
  const program = agent.install();
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-agent-'));
  // The folder's name is in the prompts: of both runs it must be as long.
  const folder = join(home, 'work');
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (let number = 0; number < 4; number++) writeFileSync(join(folder, `src/part-${number}.js`), fileText(number));
  let idleMs = 0;
  const nowMs = () => START_MS + idleMs + account.bills.length * REQUEST_MS;
  const isMarked = api === 'anthropic-messages';
  const account = new WireAccount({
    prompts: new Prompts(),
    price,
    isMarked,
    isAlone: false,
    loses: () => false,
    nowMs,
  });
  const tools = /** @type {NonNullable<Agent['tools']>} */ (agent.toolsIn?.(folder) ?? agent.tools);
  const provider = await startProvider({ script: scriptFor(tools), windowTokens, clock: nowMs, reads: account });
  const failing = isFailing && agent.failing !== undefined ? [agent.failing] : [];
  const dry = isDry && agent.dryRun !== undefined ? [agent.dryRun] : [];
  const extensions = [...failing, ...dry, ...(isOurs ? [agent.plugin(home)] : [])];
  /** Requests with which a process begins, and whether a pause was before. */
  const starts = [];
  try {
    let output = '';
    for (let number = 0; number < prompts; number++) {
      const pauseMs = number === 0 ? 0 : /** @type {number} */ (pausesMs[number % pausesMs.length]);
      idleMs += pauseMs;
      const request = provider.requests.length;
      starts.push({ request, pauseMs });
      const prompt = `Prompt ${number}: the parser must accept comments in part ${number}.`;
      const given = { program, home, folder, providerUrl: provider.url, api, windowTokens, extensions, prompt };
      const { command, words, env } = agent.command({ ...given, isFirst: number === 0 });
      const own = agent.isBare === true ? { PATH: process.env.PATH } : process.env;
      const clock = { START_MS: String(nowMs()), REQUESTS: String(request) };
      output += await ended(command, words, folder, { ...own, ...env, ...clock });
    }
    const cost = account.bills.reduce((sum, bill) => sum + bill.cost, 0);
    const { requests, refused } = provider;
    const found = agent.stored(home, program, folder, output);
    return { cost, bills: account.bills, requests, refused, starts, output, ...found };
  } finally {
    provider.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** @param {string} command @param {string[]} words @param {string} cwd @param {NodeJS.ProcessEnv} env @returns {Promise<string>} what it wrote */
function ended(command, words, cwd, env) {
  const child = spawn(command, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new SetupError(`the agent ended with exit code ${code}: ${output.slice(-500)}`));
    });
  });
}
