#!/usr/bin/env node
// @ts-check
/**
 * `npm run example:fleet`: eight processes share forty conversations through PostgreSQL. Each conversation moves to
 * another process every few requests, while processes are killed and the server restarts. Compares requests and costs
 * with a single machine, and with the same fleet without a store.
 */
import { ensureBuilt, SetupError } from '../scripts/ensure-built.mjs';
import { findPostgres } from '../scripts/find-program.mjs';
import { programArguments } from '../scripts/run-program.mjs';

async function main() {
  const number = /** @type {const} */ ({ type: 'string' });
  const { values } = programArguments({
    options: { conversations: number, steps: number, verbose: { type: 'boolean' } },
  });
  await ensureBuilt({ dev: true, verbose: values.verbose === true });
  if (findPostgres() === undefined)
    throw new SetupError('expected a PostgreSQL that is installed, or its package; got neither');
  // Imported late, because set-up may have to build it first.
  const { runFleet } = await import('./fleet/run.mjs');
  const { reportOf, textOf } = await import('./fleet/report.mjs');
  const [conversations, steps] = [Number(values.conversations ?? 40), Number(values.steps ?? 40)];
  const run = await runFleet({ processes: 8, conversations, steps, killEvery: 60 }, (line) => console.error(line));
  const report = reportOf(run);
  console.log(textOf(report));
  if (report.checks.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

main().catch((error) => {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
