// @ts-check
/** Runs a coding agent on its prompts against the mock provider, each prompt in its own process. */
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
 * @typedef {object} Agent how to run one agent
 * @property {string} VERSION
 * @property {Parameters<typeof scriptFor>[0]} [tools]
 * @property {(folder: string) => Parameters<typeof scriptFor>[0]} [toolsIn] tools, if they require absolute paths
 * @property {string} [failing] extension that makes every third call of the plug-in fail; a gateway has none
 * @property {string} [dryRun] used instead of a plug-in: the gateway's dry run
 * @property {boolean} [isBare] true if it gets only PATH and PALIMPSEST_REPEATED of this machine's environment variables
 * @property {readonly string[]} [apis] APIs that it supports
 * @property {() => string} install returns the program's path
 * @property {(home: string) => string} plugin installs the plug-in and returns its path
 * @property {(options: any) => { command: string, args: string[], env: Record<string, string> }} command
 * @property {(home: string, program: string, folder: string, output: string) => { stored: unknown[], summaries: number }} stored
 */

/**
 * @typedef {object} Life the circumstances of a run
 * @property {string} [api]
 * @property {string} [price] the provider's price list
 * @property {readonly number[]} [pausesMs] pauses before each prompt, repeated cyclically
 * @property {number} [windowTokens]
 * @property {number} [prompts]
 * @property {boolean} [isRepetitive] true: each check runs the same command
 * @property {boolean} [isOurs] true: with the plug-in
 * @property {boolean} [isFailing] true: every third call of the plug-in fails
 * @property {boolean} [isDry] true: with the gateway's dry run
 */

/** Runs an agent. @param {Agent} agent @param {Life} life */
export async function play(agent, life) {
  const { api = 'anthropic-messages', price = 'anthropic', pausesMs = [0], windowTokens = 200_000 } = life;
  const { prompts = PROMPTS, isRepetitive = false, isOurs = false, isFailing = false, isDry = false } = life;
  const program = agent.install();
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-agent-'));
  // Prompts contain the folder's path, so it must have the same length in both runs.
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
  const provider = await startProvider({
    script: scriptFor(tools, isRepetitive),
    windowTokens,
    clock: nowMs,
    cache: account,
  });
  const failing = isFailing && agent.failing !== undefined ? [agent.failing] : [];
  const dry = isDry && agent.dryRun !== undefined ? [agent.dryRun] : [];
  const extensions = [...failing, ...dry, ...(isOurs ? [agent.plugin(home)] : [])];
  /** The first request of each process, and the pause before it. */
  const starts = [];
  try {
    let output = '';
    for (let number = 0; number < prompts; number++) {
      const pauseMs = number === 0 ? 0 : /** @type {number} */ (pausesMs[number % pausesMs.length]);
      idleMs += pauseMs;
      const request = provider.requests.length;
      starts.push({ request, pauseMs });
      const prompt = `Prompt ${number}: the parser must accept comments in part ${number}.`;
      const options = { program, home, folder, providerUrl: provider.url, api, windowTokens, extensions, prompt };
      const { command, args, env } = agent.command({ ...options, isFirst: number === 0 });
      const inherited = agent.isBare === true ? bareEnvironment() : process.env;
      const clock = { START_MS: String(nowMs()), REQUESTS: String(request) };
      output += await outputOf(command, args, folder, { ...inherited, ...env, ...clock });
    }
    const cost = account.bills.reduce((sum, bill) => sum + bill.cost, 0);
    const { requests, refused } = provider;
    const session = agent.stored(home, program, folder, output);
    return { cost, bills: account.bills, requests, refused, starts, output, ...session };
  } finally {
    provider.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** @returns {NodeJS.ProcessEnv} */
function bareEnvironment() {
  const { PATH, PALIMPSEST_REPEATED } = process.env;
  return { PATH, ...(PALIMPSEST_REPEATED !== undefined && { PALIMPSEST_REPEATED }) };
}

/**
 * @param {string} command @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its output
 */
function outputOf(command, args, cwd, env) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
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
