#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:agents -- pi|opencode|claude-code|codex [--all] [--prompts 8]`: runs the real agents, at pinned
 * versions in temporary folders, through a scripted session against a mock provider on loopback. Each runs without
 * palimpsest, with it, and with every third call of it failing (for agents that use the gateway, its dry run instead).
 * `--all` adds other context windows and price lists.
 */
import { isDeepStrictEqual } from 'node:util';
import { ensureBuilt, SetupError } from '../../scripts/ensure-built.mjs';
import { programArguments } from '../../scripts/run-program.mjs';

const MINUTE = 60_000;
const ANTHROPIC = { api: 'anthropic-messages', price: 'anthropic' };
const OPENAI = { api: 'openai-completions', price: 'openai' };
const RESPONSES = { api: 'openai-responses', price: 'openai' };
/** The default APIs of an agent. */
const BOTH = ['anthropic-messages', 'openai-completions'];
const { values, positionals } = programArguments({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, prompts: { type: 'string', default: '12' }, verbose: { type: 'boolean' } },
});
const PROMPTS = Number(values.prompts);

/** @typedef {import('./play.mjs').Agent} Agent */

async function main() {
  await ensureBuilt({ dev: true, verbose: values.verbose === true });
  /** @type {Record<string, Agent>} */
  const agents = {
    pi: await import('./pi.mjs'),
    opencode: await import('./opencode.mjs'),
    'claude-code': await import('./claude-code.mjs'),
    codex: await import('./codex.mjs'),
  };
  const chosen = Object.entries(agents).filter(([word]) => positionals.includes(word));
  if (!(PROMPTS >= 1)) throw new SetupError(`expected --prompts with a number; got ${values.prompts}`);
  if (chosen.length === 0) throw new SetupError(`expected one of ${Object.keys(agents).join(', ')}`);
  for (const [name, agent] of chosen) await printTable(name, agent);
}

/** @param {string} name @param {Agent} agent */
async function printTable(name, agent) {
  try {
    agent.install();
  } catch (error) {
    // Without a registry this agent can't be installed; continue with the others.
    if (!(error instanceof SetupError)) throw error;
    console.log(`SKIPPED ${name}: ${error.message}`);
    return;
  }
  const isAll = values.all === true;
  const node = `Node.js ${process.version}`;
  console.log(
    `${name} ${agent.VERSION}, ${PROMPTS} prompts, a process for each; 1 is the bill without palimpsest (${node})\n`,
  );
  const third = agent.dryRun === undefined ? '1/3 failing' : '    dry run';
  console.log(`prices     window     pauses  requests  without     with  ${third}  summaries  stored`);
  const apis = [ANTHROPIC, OPENAI, RESPONSES].filter(({ api }) => (agent.apis ?? BOTH).includes(api));
  for (const api of isAll ? apis : apis.slice(0, 1)) {
    for (const windowTokens of isAll ? [200_000, 1_000_000] : [200_000]) {
      for (const pauseMs of [0, 30 * MINUTE])
        await printRow(agent, { ...api, windowTokens, pausesMs: [pauseMs] }, pauseMs);
    }
  }
  console.log('');
}

/**
 * @param {Agent} agent @param {import('./play.mjs').Life & { price: string, windowTokens: number }} circumstances
 * @param {number} pauseMs
 */
async function printRow(agent, circumstances, pauseMs) {
  const { play } = await import('./play.mjs');
  const life = { ...circumstances, prompts: PROMPTS };
  const [without, ours, third] = await Promise.all([
    play(agent, life),
    play(agent, { ...life, isOurs: true }),
    play(agent, agent.dryRun === undefined ? { ...life, isOurs: true, isFailing: true } : { ...life, isDry: true }),
  ]);
  const refusal = [without, ours, third].flatMap(({ refused }) => refused)[0];
  if (refusal !== undefined) throw new SetupError(`a request was refused: ${refusal.problems.join('; ')}`);
  // After a summary of its own an agent reads files again, so its messages are compared only between runs with as many.
  const comparable = [ours, third].filter(({ summaries }) => summaries === without.summaries);
  const isSame = comparable.every(({ stored }) => isDeepStrictEqual(stored, without.stored));
  const ratios = [ours, third].map(({ cost }) => (cost / without.cost).toFixed(3));
  const cells = [
    life.price.padEnd(9),
    String(life.windowTokens).padStart(7),
    (pauseMs > 0 ? `${pauseMs / MINUTE} min` : 'none').padStart(9),
    String(without.requests.length).padStart(8),
    Math.round(without.cost).toLocaleString('en-US').padStart(11),
    ratios[0]?.padStart(6),
    ratios[1]?.padStart(11),
    [without, ours, third]
      .map((run) => run.summaries)
      .join('/')
      .padStart(9),
    isSame ? 'the same' : 'DIFFERENT',
  ];
  console.log(cells.join('  '));
  if (values.verbose === true)
    console.log(
      ours.output
        .split('\n')
        .filter((line) => line.startsWith('palimpsest'))
        .join('\n'),
    );
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`npm run example:agents: ${error.message}`);
  process.exitCode = 1;
}
