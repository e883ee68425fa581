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
 * @param {object} stale
 * @param {[tool: string, input: object, output: string][]} calls
 */
function told(stale, calls) {
  const messages = session(calls);
  const view = new ContextView({ price: 'none', outdatedBy: 'age', placeholderLanguage: 'en', stale });
  const sent = view.project(messages, { now: START + MINUTE }).messages;
  return sent.flatMap((message, at) => {
    if (message.role !== 'tool') return [];
    return message === messages[at] ? ['…'] : [message.content];
  });
}

const ALL = {
  coveredReads: true,
  repeatedCommands: true,
  identicalResults: true,
  resolvedErrors: true,
};

describe('R10.9 coveredReads', () => {
  const gone = '[Removed: a later read of src/a.ts holds these lines]';
  /** @param {object} earlier @param {object} later */
  const reads = (earlier, later) =>
    told({ coveredReads: true }, [
      ['Read', earlier, LONG],
      ['Read', later, `${LONG}more`],
    ]);

  test('a read goes when a later one has its lines', () => {
    assert.deepEqual(reads({ file_path: 'src/a.ts' }, { file_path: './src/a.ts' }), [gone, '…']);
    const part = { file_path: 'src/a.ts', offset: 10, limit: 20 };
    assert.deepEqual(reads(part, { file_path: 'src/a.ts', offset: 1, limit: 40 }), [gone, '…']);
    assert.deepEqual(reads(part, { file_path: 'src/a.ts' }), [gone, '…']);
  });

  test('a read stays when a later one has fewer lines, of another file, or says what isn’t understood', () => {
    const part = { file_path: 'src/a.ts', offset: 10, limit: 20 };
    assert.deepEqual(reads({ file_path: 'src/a.ts' }, part), ['…', '…']);
    assert.deepEqual(reads(part, { ...part, offset: 11 }), ['…', '…']);
    assert.deepEqual(reads(part, { file_path: 'src/b.ts' }), ['…', '…']);
    assert.deepEqual(reads(part, { ...part, pages: '1-5' }), ['…', '…']);
    assert.deepEqual(reads({ ...part, offset: 5000 }, { file_path: 'src/a.ts' }), ['…', '…'], 'agents cut long files');
  });

  test('a later read that failed covers nothing', () => {
    const read = { file_path: 'src/a.ts' };
    const calls = /** @type {[string, object, string][]} */ ([
      ['Read', read, LONG],
      ['Read', read, 'Error: no such file'],
    ]);
    assert.deepEqual(told({ coveredReads: true }, calls), ['…', '…']);
  });
});

describe('R10.9 repeatedCommands', () => {
  const run = (/** @type {object} */ input, output = LONG) =>
    /** @type {[string, object, string]} */ (['Bash', input, output]);

  test('the output goes when the same command was run again', () => {
    const calls = [run({ command: 'npm test', description: 'Test' }), run({ command: 'npm test', timeout: 9 })];
    assert.deepEqual(told({ repeatedCommands: true }, calls), ['[Removed: the same command was run again later]', '…']);
  });

  test('it stays when anything else was run, elsewhere, or the later run failed', () => {
    const stays = (/** @type {[string, object, string]} */ later) =>
      assert.deepEqual(told({ repeatedCommands: true }, [run({ command: 'npm test' }), later]), ['…', '…']);
    stays(run({ command: 'npm test -- a' }));
    stays(run({ command: 'npm test', cwd: 'b' }));
    stays(run({ command: 'npm test' }, 'Error: interrupted'));
  });

  test('asking a running shell for more is no command', () => {
    const ask = run({ bash_id: 'x' });
    assert.deepEqual(told({ repeatedCommands: true }, [ask, ask]), ['…', '…']);
  });
});

describe('R10.9 identicalResults', () => {
  test('a result goes that a later one of the same tool repeats', () => {
    const calls = /** @type {[string, object, string][]} */ ([
      ['mcp__list', { page: 1 }, LONG],
      ['mcp__list', { page: 2 }, `${LONG}!`],
      ['mcp__other', {}, LONG],
      ['mcp__list', { page: 3 }, LONG],
    ]);
    const gone = '[Removed: a later result of this tool is identical]';
    assert.deepEqual(told({ identicalResults: true }, calls), [gone, '…', '…', '…']);
  });
});

describe('R10.9 resolvedErrors', () => {
  const input = { file_path: 'a', old_string: 'x' };
  const failed = /** @type {[string, object, string]} */ (['Edit', input, `Error: ${LONG}`]);

  test('an error goes when the same call succeeded later', () => {
    const gone = '[Removed: this call failed; the same call succeeded later]';
    assert.deepEqual(told({ resolvedErrors: true }, [failed, failed, ['Edit', input, 'ok']]), [gone, gone, '…']);
  });

  test('it stays when another call succeeded, or none', () => {
    assert.deepEqual(told({ resolvedErrors: true }, [failed, ['Edit', { ...input, old_string: 'y' }, 'ok']]), [
      '…',
      '…',
    ]);
    assert.deepEqual(told({ resolvedErrors: true }, [failed, failed]), ['…', '…']);
    assert.deepEqual(told({ resolvedErrors: true }, [['Edit', input, LONG], failed]), ['…', '…']);
  });
});

test('R10.9 nothing of it is looked for unless asked for', () => {
  const read = /** @type {[string, object, string]} */ (['Read', { file_path: 'src/a.ts' }, LONG]);
  assert.deepEqual(told({}, [read, read, ['Edit', { file_path: 'src/a.ts' }, 'ok']]), ['…', '…', '…']);
  assert.throws(() => new ContextView({ stale: /** @type {any} */ ({ reads: true }) }), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
  assert.throws(() => new ContextView({ stale: /** @type {any} */ ({ coveredReads: 1 }) }), {
    code: 'ERR_INVALID_ARG_TYPE',
  });
});

test('R10.9 a conversation that grows is decided as it would be at once, and an exported view goes on', () => {
  fc.assert(
    fc.property(steps(40), fc.nat(40), (plan, at) => {
      let view = new ContextView({ price: 'none', stale: ALL });
      let request = 0;
      play(plan, (stored, now) => {
        if (request++ === at) view = ContextView.import(view.export(), { price: 'none', stale: ALL });
        const whole = new ContextView({ price: 'none', stale: ALL }).project(stored, { now }).messages;
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
    ['the usual rules', {}],
    ['all that is stale', { stale: ALL }],
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
