// @ts-check
/** The option `repeatedCommands`, and that views decide the same in every dialect. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { changedResults, convert, DIALECTS } from '../support/dialects.mjs';
import { exchange, MINUTE, START } from '../support/histories.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';
import { play, steps } from '../support/view-sessions.mjs';

const LONG = 'a line of the output\n'.repeat(28);

/** @param {[tool: string, input: object, output: string][]} calls */
function session(calls) {
  /** @type {any[]} */
  const messages = [{ role: 'user', content: 'Go on.', timestamp: START }];
  calls.forEach(([name, input, output], at) => {
    const both = exchange(`c${at}`, name, input, output);
    messages.push(...both.map((message) => ({ ...message, timestamp: START + at })));
  });
  return messages;
}

/**
 * The contents of results as they are sent; '…' for an unchanged result.
 * @param {boolean | undefined} repeatedCommands
 * @param {[tool: string, input: object, output: string][]} calls
 */
function sentResults(repeatedCommands, calls) {
  const messages = session(calls);
  const view = new ContextView({ price: 'none', outdatedBy: 'age', placeholderLanguage: 'en', repeatedCommands });
  const sent = view.project(messages, { now: START + MINUTE }).messages;
  return sent.flatMap((message, at) => {
    if (message.role !== 'tool') return [];
    return message === messages[at] ? ['…'] : [message.content];
  });
}

describe('R10.9 repeatedCommands', () => {
  const run = (/** @type {object} */ input, output = LONG) =>
    /** @type {[string, object, string]} */ (['Bash', input, output]);

  test('an output is removed once the same command has run again', () => {
    const calls = [run({ command: 'npm test', description: 'Test' }), run({ command: 'npm test', timeout: 9 })];
    assert.deepEqual(sentResults(true, calls), ['[Removed: the same command was run again later]', '…']);
  });

  test('an output stays if another command ran, in another directory, or the later run failed', () => {
    const stays = (/** @type {[string, object, string]} */ later) =>
      assert.deepEqual(sentResults(true, [run({ command: 'npm test' }), later]), ['…', '…']);
    stays(run({ command: 'npm test -- a' }));
    stays(run({ command: 'npm test', cwd: 'b' }));
    stays(run({ command: 'npm test' }, 'Error: interrupted'));
  });

  test('a call that reads more output of a running shell is no repeated command', () => {
    const readMore = run({ bash_id: 'x' });
    assert.deepEqual(sentResults(true, [readMore, readMore]), ['…', '…']);
  });
});

test("R10.9 with `outdatedBy: 'age'` repeated commands stay, and a `repeatedCommands` that is no boolean is rejected", () => {
  const run = /** @type {[string, object, string]} */ (['Bash', { command: 'npm test' }, LONG]);
  assert.deepEqual(sentResults(undefined, [run, run]), ['…', '…']);
  for (const repeatedCommands of /** @type {any[]} */ ([1, 'yes', {}])) {
    assert.throws(() => new ContextView({ repeatedCommands }), {
      code: 'ERR_INVALID_ARG_TYPE',
      message: /options\.repeatedCommands/,
    });
  }
});

test('R10.9 a view and its import send a growing conversation as a new view would', () => {
  fc.assert(
    fc.property(steps(40), fc.nat(40), (plan, at) => {
      let view = new ContextView({ price: 'none', repeatedCommands: true });
      let request = 0;
      play(plan, (stored, now) => {
        if (request++ === at) view = ContextView.import(view.export(), { price: 'none', repeatedCommands: true });
        const byNewView = new ContextView({ price: 'none', repeatedCommands: true }).project(stored, { now }).messages;
        const sent = view.project(stored, { now }).messages;
        assert.deepEqual(sent, byNewView);
      });
    }),
    { endOnFailure: true, numRuns: 30 },
  );
});

/** Makes results so long that a dialect's wrapping doesn't decide whether a placeholder is shorter. */
const LONGER_TEXT = 'line '.repeat(40);

/** @param {string} text output of a terminal or another tool */
function lengthened(text) {
  if (!text.startsWith('{"stdout":')) return text + LONGER_TEXT;
  const output = JSON.parse(text);
  return JSON.stringify({ ...output, stdout: output.stdout + LONGER_TEXT });
}

/**
 * Removes differences between dialects: a chat message keeps its image, and Gemini's wrapping of an error makes a short result longer
 * than a placeholder.
 * @param {import('../support/neutral-sessions.mjs').NeutralSession} session
 */
function comparable(session) {
  for (const step of session.steps) {
    for (const { outcome } of step.kind === 'assistant' ? step.calls : []) {
      if (outcome === null) continue;
      outcome.image = null;
      outcome.texts = outcome.texts.map(lengthened);
    }
  }
  return session;
}

describe('R11 the same decisions in every dialect', () => {
  for (const [name, options] of /** @type {[string, object][]} */ ([
    ['by kind', { ages: Object.fromEntries(Object.keys(new ContextView().report().ages).map((kind) => [kind, 2])) }],
    ['by age, and repeated commands', { outdatedBy: 'age', repeatedCommands: true }],
  ])) {
    test(`${name}: a view replaces the same results at each request`, () => {
      let replacedCount = 0;
      fc.assert(
        fc.property(neutralSession(4).map(comparable), (whole) => {
          const views = Object.keys(DIALECTS).map((dialect) => ({
            dialect,
            view: new ContextView({ price: 'none', orphans: false, ...options }),
          }));
          for (let length = 1; length <= whole.steps.length; length++) {
            const part = { ...whole, steps: whole.steps.slice(0, length) };
            const now = START + length * 8 * MINUTE;
            const decided = views.map(({ dialect, view }) => {
              const converted = convert(part, dialect, { times: true });
              const { messages } = view.project(converted.messages, { now });
              return changedResults(converted, messages);
            });
            replacedCount += decided[0]?.length ?? 0;
            decided.forEach((changed, at) => {
              assert.deepEqual(changed, decided[0], views[at]?.dialect);
            });
          }
        }),
        { endOnFailure: true, numRuns: 25 },
      );
      assert.ok(replacedCount > 0);
    });
  }
});
