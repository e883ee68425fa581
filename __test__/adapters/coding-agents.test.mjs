// @ts-check
/** The plug-ins for pi and opencode in the agents themselves, at tested versions: a short form of `npm run example:agents`. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as opencode from '../../examples/coding-agents/opencode.mjs';
import * as pi from '../../examples/coding-agents/pi.mjs';
import { play } from '../../examples/coding-agents/play.mjs';
import { SetupError } from '../../scripts/ensure-built.mjs';
import { COST_LIMIT } from '../support/cache-biller.mjs';

const MINUTE = 60_000;
/** The fewest prompts with which the agent summarises by itself, and results are removed after a pause. */
const SCENARIO = { windowTokens: 80_000, pausesMs: [30 * MINUTE, 0], prompts: 4, isRepetitive: true };

/** @typedef {import('../../examples/coding-agents/play.mjs').Agent} Agent */

/** Why the agent can't be installed, or false; in CI that is an error. @param {Agent} agent */
function reasonToSkip(agent) {
  try {
    agent.install();
    return false;
  } catch (error) {
    if (!(error instanceof SetupError) || process.env.CI === 'true') throw error;
    return error.message;
  }
}

/** The messages as a provider's cache compares them. @param {{ text: string }} request */
function messagesOf({ text }) {
  const withoutBreakpoint = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === 'cache_control' ? undefined : value;
  return JSON.parse(text).map((/** @type {unknown} */ message) => JSON.stringify(message, withoutBreakpoint));
}

for (const [name, agent] of /** @type {[string, Agent][]} */ (Object.entries({ pi, opencode }))) {
  describe(`${name} ${agent.VERSION}`, { skip: reasonToSkip(agent) }, () => {
    test('R10.5 the agent does the same work for less with the plug-in, and within the cost limit if every third call fails', async () => {
      const scenarios = [SCENARIO, { ...SCENARIO, isOurs: true }, { ...SCENARIO, isOurs: true, isFailing: true }];
      const [without, withPlugin, failing] = await Promise.all(scenarios.map((scenario) => play(agent, scenario)));
      assert.ok(without && withPlugin && failing);
      for (const run of [without, withPlugin, failing]) {
        assert.deepEqual(run.refused, []);
        assert.deepEqual(run.stored, without.stored);
        assert.equal(run.summaries, without.summaries);
        assert.ok(run.cost <= COST_LIMIT * without.cost, `${run.cost} instead of ${without.cost}`);
      }
      assert.ok(without.summaries > 0);
      assert.ok(withPlugin.cost < 0.99 * without.cost, `${withPlugin.cost} instead of ${without.cost}`);
      assert.match(withPlugin.requests.map(({ text }) => text).join(''), /\[Removed: /);
      const warmStarts = withPlugin.starts.filter(({ request, pauseMs }) => request > 0 && pauseMs === 0);
      assert.ok(warmStarts.length > 1);
      for (const { request } of warmStarts) {
        const [previous, first] = withPlugin.requests.slice(request - 1, request + 1).map(messagesOf);
        assert.deepEqual(first.slice(0, previous.length), previous, 'a new process sends the same bytes');
      }
    });
  });
}
