// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { changedResults, convert, DIALECTS } from '../support/dialects.mjs';
import { MINUTE, START } from '../support/histories.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';
import { play, steps } from '../support/view-sessions.mjs';

const LONG = 'a line of what the tool said\n'.repeat(20);

/**
 * A session of calls, each with its result.
 * @param {[tool: string, input: object, output: string][]} calls
 */
function session(calls) {
  /** @type {any[]} */
  const messages = [{ role: 'user', content: 'Go on.', timestamp: START }];
  calls.forEach(([name, input, output], at) => {
    const declared = { id: `c${at}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
    messages.push({ role: 'assistant', content: '', tool_calls: [declared], timestamp: START + at });
    messages.push({ role: 'tool', tool_call_id: `c${at}`, content: output, timestamp: START + at });
  });
  return messages;
}

/**
 * What the results say to the model, '…' where they are as they were.
 * @param {boolean | undefined} repeatedCommands
 * @param {[tool: string, input: object, output: string][]} calls
 */
function told(repeatedCommands, calls) {
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

  test('the output goes when the same command was run again', () => {
    const calls = [run({ command: 'npm test', description: 'Test' }), run({ command: 'npm test', timeout: 9 })];
    assert.deepEqual(told(true, calls), ['[Removed: the same command was run again later]', '…']);
  });

  test('it stays when anything else was run, elsewhere, or the later run failed', () => {
    const stays = (/** @type {[string, object, string]} */ later) =>
      assert.deepEqual(told(true, [run({ command: 'npm test' }), later]), ['…', '…']);
    stays(run({ command: 'npm test -- a' }));
    stays(run({ command: 'npm test', cwd: 'b' }));
    stays(run({ command: 'npm test' }, 'Error: interrupted'));
  });

  test('asking a running shell for more is no command', () => {
    const ask = run({ bash_id: 'x' });
    assert.deepEqual(told(true, [ask, ask]), ['…', '…']);
  });
});

test('R10.9 with `outdatedBy: age`, repeated commands stay unless the option is set', () => {
  const run = /** @type {[string, object, string]} */ (['Bash', { command: 'npm test' }, LONG]);
  assert.deepEqual(told(undefined, [run, run]), ['…', '…']);
  for (const repeatedCommands of /** @type {any[]} */ ([1, 'yes', {}])) {
    assert.throws(() => new ContextView({ repeatedCommands }), {
      code: 'ERR_INVALID_ARG_TYPE',
      message: /options\.repeatedCommands/,
    });
  }
});

test('R10.9 a conversation that grows is decided as it would be at once, and an exported view goes on', () => {
  fc.assert(
    fc.property(steps(40), fc.nat(40), (plan, at) => {
      let view = new ContextView({ price: 'none', repeatedCommands: true });
      let request = 0;
      play(plan, (stored, now) => {
        if (request++ === at) view = ContextView.import(view.export(), { price: 'none', repeatedCommands: true });
        const whole = new ContextView({ price: 'none', repeatedCommands: true }).project(stored, { now }).messages;
        const sent = view.project(stored, { now }).messages;
        assert.deepEqual(sent, whole);
      });
    }),
    { endOnFailure: true, numRuns: 30 },
  );
});

/** Beyond this no wrapping of a dialect's own decides whether a placeholder saves tokens. */
const PLAINLY_LONGER = 'line '.repeat(40);

/** @param {string} text what a terminal says, or any other tool */
function longer(text) {
  if (!text.startsWith('{"stdout":')) return text + PLAINLY_LONGER;
  const said = JSON.parse(text);
  return JSON.stringify({ ...said, stdout: said.stdout + PLAINLY_LONGER });
}

/**
 * In chat an image stands beside the content, and stays. Gemini wraps an error, which makes a result of a placeholder's length
 * longer than that.
 * @param {import('../support/neutral-sessions.mjs').NeutralSession} session
 */
function comparable(session) {
  for (const step of session.steps) {
    for (const { outcome } of step.kind === 'assistant' ? step.calls : []) {
      if (outcome === null) continue;
      outcome.image = null;
      outcome.texts = outcome.texts.map(longer);
    }
  }
  return session;
}

describe('R11 the same decisions in every dialect', () => {
  for (const [name, options] of /** @type {[string, object][]} */ ([
    ['by kind', { ages: Object.fromEntries(Object.keys(new ContextView().report().ages).map((kind) => [kind, 2])) }],
    ['by age, and repeated commands', { outdatedBy: 'age', repeatedCommands: true }],
  ])) {
    test(`${name}: a view replaces the same results, request after request`, () => {
      let found = 0;
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
            found += decided[0]?.length ?? 0;
            decided.forEach((changed, at) => {
              assert.deepEqual(changed, decided[0], views[at]?.dialect);
            });
          }
        }),
        { endOnFailure: true, numRuns: 25 },
      );
      assert.ok(found > 0);
    });
  }
});
