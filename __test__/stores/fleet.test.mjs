// @ts-check
/** A smaller run of examples/fleet, with killed processes and a server that restarts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportOf, textOf } from '../../examples/fleet/report.mjs';
import { runFleet } from '../../examples/fleet/run.mjs';
import { withoutPostgres } from '../support/postgres.mjs';

test('R15.2 a fleet sends the same as one machine, whatever is killed or restarts', {
  skip: withoutPostgres,
}, async () => {
  const run = await runFleet({ processes: 3, conversations: 4, steps: 30, killEvery: 20 }, () => {});
  const report = reportOf(run);
  const text = textOf(report);
  assert.deepEqual(
    report.checks.filter(({ isMet }) => !isMet),
    [],
    text,
  );
  assert.ok(report.kills >= 3, text);
  const { 'one machine': alone, 'fleet with PostgreSQL': fleet } = report.rows;
  assert.ok(alone.summaries >= 4 && fleet.summaries >= alone.summaries, text);
  assert.ok(alone.tokens < 0.8 * report.rows['doing nothing'].tokens, text);
});
