#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:agents -- pi|opencode [--all] [--prompts 8]`: the real agent, at a pinned version in a temporary folder, works through a scripted session
 * against a mock provider on loopback: without palimpsest, with it, and with every third call of it failing. `--all`: with other windows
 * and prices, too.
 */
import { isDeepStrictEqual } from 'node:util';
import { ensureBuilt, SetupError } from '../../scripts/ensure-built.mjs';
import { programWords } from '../../scripts/program-words.mjs';

const MINUTE = 60_000;
const ANTHROPIC = { api: 'anthropic-messages', price: 'anthropic' };
const OPENAI = { api: 'openai-completions', price: 'openai' };
const { values, positionals } = programWords({
  allowPositionals: true,
  options: { all: { type: 'boolean' }, prompts: { type: 'string', default: '12' }, verbose: { type: 'boolean' } },
});
const PROMPTS = Number(values.prompts);

async function main() {
  await ensureBuilt({ dev: true, verbose: values.verbose === true });
  const agents = { pi: await import('./pi.mjs'), opencode: await import('./opencode.mjs') };
  const [name, agent] = Object.entries(agents).find(([word]) => positionals.includes(word)) ?? [];
  if (!(PROMPTS >= 1)) throw new SetupError(`expected --prompts with a number; got ${values.prompts}`);
  if (agent === undefined) throw new SetupError(`expected one of ${Object.keys(agents).join(', ')}`);
  const { play } = await import('./play.mjs');
  const isAll = values.all === true;
  const node = `Node.js ${process.version}`;
  console.log(
    `${name} ${agent.VERSION}, ${PROMPTS} prompts, a process for each; 1 is the bill without palimpsest (${node})\n`,
  );
  console.log('prices     window     pauses  without     with  1/3 failing  summaries  stored');
  for (const api of isAll ? [ANTHROPIC, OPENAI] : [ANTHROPIC]) {
    for (const windowTokens of isAll ? [200_000, 1_000_000] : [200_000]) {
      for (const pauseMs of [0, 30 * MINUTE]) {
        const life = { ...api, windowTokens, pausesMs: [pauseMs], prompts: PROMPTS };
        const [without, ours, failing] = await Promise.all([
          play(agent, life),
          play(agent, { ...life, isOurs: true }),
          play(agent, { ...life, isOurs: true, isFailing: true }),
        ]);
        const refusal = [without, ours, failing].flatMap(({ refused }) => refused)[0];
        if (refusal !== undefined) throw new SetupError(`a request was refused: ${refusal.problems.join('; ')}`);
        const isSame = [ours, failing].every(({ stored }) => isDeepStrictEqual(stored, without.stored));
        const ratios = [ours, failing].map(({ cost }) => (cost / without.cost).toFixed(3));
        const summaries = [without, ours, failing].map((run) => run.summaries).join('/');
        const cells = [
          api.price.padEnd(9),
          String(windowTokens).padStart(7),
          (pauseMs > 0 ? `${pauseMs / MINUTE} min` : 'none').padStart(9),
          Math.round(without.cost).toLocaleString('en-US').padStart(11),
          ratios[0]?.padStart(6),
          ratios[1]?.padStart(11),
          summaries.padStart(9),
          isSame ? 'the same' : 'DIFFERENT',
        ];
        console.log(cells.join('  '));
      }
    }
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`npm run example:agents: ${error.message}`);
  process.exitCode = 1;
}
