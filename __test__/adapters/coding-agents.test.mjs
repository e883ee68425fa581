// @ts-check
/** The agents that people run, at the versions that the plug-ins were tried with: `npm run example:agents` in a short form. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as opencode from '../../examples/coding-agents/opencode.mjs';
import * as pi from '../../examples/coding-agents/pi.mjs';
import { play } from '../../examples/coding-agents/play.mjs';
import { SetupError } from '../../scripts/ensure-built.mjs';

const MINUTE = 60_000;
/** A window in which an agent summarises by itself, and pauses behind which something is left out: as few prompts as show both. */
const LIFE = { windowTokens: 80_000, pausesMs: [30 * MINUTE, 0], prompts: 4, isRepetitive: true };

/** @typedef {import('../../examples/coding-agents/play.mjs').Agent} Agent */

/** Why the agent can't be had here; where it must be there, that is a failure. @param {Agent} agent */
function missing(agent) {
  try {
    agent.install();
    return false;
  } catch (error) {
    if (!(error instanceof SetupError) || process.env.CI === 'true') throw error;
    return error.message;
  }
}

/** As a provider's cache has them. @param {{ text: string }} request */
function messagesOf({ text }) {
  const unmarked = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === 'cache_control' ? undefined : value;
  return JSON.parse(text).map((/** @type {unknown} */ message) => JSON.stringify(message, unmarked));
}

for (const [name, agent] of /** @type {[string, Agent][]} */ (Object.entries({ pi, opencode }))) {
  describe(`${name} ${agent.VERSION}`, { skip: missing(agent) }, () => {
    test('R10.5 the agent does the same work for less with the plug-in, and within the cost limit if every third call fails', async () => {
      const lives = [LIFE, { ...LIFE, isOurs: true }, { ...LIFE, isOurs: true, isFailing: true }];
      const [without, ours, failing] = await Promise.all(lives.map((life) => play(agent, life)));
      assert.ok(without && ours && failing);
      for (const run of [without, ours, failing]) {
        assert.deepEqual(run.refused, []);
        assert.deepEqual(run.stored, without.stored);
        assert.equal(run.summaries, without.summaries);
        assert.ok(run.cost <= 1.02 * without.cost, `${run.cost} instead of ${without.cost}`);
      }
      assert.ok(without.summaries > 0);
      assert.ok(ours.cost < 0.99 * without.cost, `${ours.cost} instead of ${without.cost}`);
      assert.match(ours.requests.map(({ text }) => text).join(''), /\[Removed: /);
      const warm = ours.starts.filter(({ request, pauseMs }) => request > 0 && pauseMs === 0);
      assert.ok(warm.length > 1);
      for (const { request } of warm) {
        const [before, first] = ours.requests.slice(request - 1, request + 1).map(messagesOf);
        assert.deepEqual(first.slice(0, before.length), before, 'a new process sends the same bytes');
      }
    });
  });
}
