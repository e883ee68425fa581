// @ts-check
/** What a host wants kept or dropped is kept or dropped in what the model is shown, in every dialect. */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { ContextView, setLogger } from 'palimpsest';
import { changedResults, DIALECTS } from '../support/dialects.mjs';
import { START } from '../support/histories.mjs';
import { outdatedSession } from '../support/outdated-session.mjs';

const TOOLS = ['bash', 'mcp__db__query', 'mcp__db__schema', 'deploy'];
let dialect = 'openai-chat';

const session = () =>
  outdatedSession(dialect, [
    TOOLS.map((tool) => [tool, { command: 'npm test' }, `${tool} said: ${'a line of output\n'.repeat(200)}`]),
  ]);

/** Tools whose results the model is shown otherwise than stored. @param {any} options */
function gone(options) {
  const converted = session();
  const view = new ContextView({ price: 'none', ...options });
  const sent = view.project(converted.messages, { now: START }).messages;
  return changedResults(converted, sent).map((key) => TOOLS[Number(key.split('_')[1])]);
}

for (const name of Object.keys(DIALECTS)) {
  describe(`${name}: what a host names`, () => {
    dialect = name;
    const of = (/** @type {any} */ options) => {
      dialect = name;
      return gone(options);
    };

    test('issue 22.4 all four are old; kept tools stay, whatever else names them', () => {
      assert.deepEqual(of({}), TOOLS);
      assert.deepEqual(of({ keepTools: ['mcp__db__*', 'deploy'] }), ['bash']);
      assert.deepEqual(of({ keepTools: ['mcp__db__schema'], dropTools: ['mcp__*'], outdatedBy: 'nothing' }), [
        'mcp__db__query',
      ]);
    });

    test('issue 22.4 what is protected or pinned stays', () => {
      assert.deepEqual(of({ protect: ({ toolName }) => toolName === 'deploy' }), TOOLS.slice(0, 3));
      assert.deepEqual(of({ protect: ({ content }) => content.startsWith('bash said') }), TOOLS.slice(1));
      const { messages, places } = session();
      const first = messages[places[0]?.message ?? -1];
      const together = TOOLS.filter((_, at) => places[at]?.message !== places[0]?.message);
      assert.deepEqual(of({ pin: (/** @type {any} */ message) => isAlike(message, first) }), together);
    });
  });
}

/** @param {unknown} one @param {unknown} other */
function isAlike(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

describe('what stays whole', () => {
  afterEach(() => setLogger(null));
  const of = (/** @type {any} */ options) => {
    dialect = 'anthropic';
    return gone(options);
  };

  test('issue 22.4 a call’s id pins its result alone, a message’s all of them', () => {
    dialect = 'anthropic';
    const { messages, places } = session();
    const result = messages[places[1]?.message ?? -1].content[places[1]?.part ?? -1];
    assert.deepEqual(of({ pin: [result.tool_use_id] }), TOOLS.toSpliced(1, 1));
  });

  test('issue 22.4 a host is asked once about each result, and what it is asked about is that result', () => {
    const asked = /** @type {any[]} */ ([]);
    const { messages } = session();
    const view = new ContextView({ price: 'none', protect: (result) => asked.push(result) > 0 });
    for (let now = START; now < START + 3; now++) {
      const { messages: sent, report } = view.project(messages, { now });
      assert.deepEqual(sent, messages);
      assert.equal(report.changed, 0);
    }
    assert.deepEqual(
      asked.map(({ toolName }) => toolName),
      TOOLS,
    );
    for (const { content, toolName, message, index, toolCallId } of asked) {
      assert.ok(content.startsWith(`${toolName} said`) && messages[index] === message && toolCallId !== '');
    }
    assert.deepEqual(view.plan({ now: START + 9 }).pending, []);
  });

  test('after a rewind, the host is asked about another call’s result with the same text', () => {
    const protect = (/** @type {any} */ { toolName }) => toolName === 'deploy';
    for (const [before, after] of [
      ['bash', 'deploy'],
      ['deploy', 'bash'],
    ]) {
      const [first, second] = [before, after].map((tool = '') =>
        outdatedSession('anthropic', [[[tool, { command: 'npm test' }, 'a line of output\n'.repeat(200)]]]),
      );
      const view = new ContextView({ price: 'none', protect });
      const messages = first?.messages ?? [];
      view.project(messages.slice(0, 3), { now: START });
      view.project(messages, { now: START + 1 });
      const other = /** @type {NonNullable<typeof second>} */ (second);
      const sent = view.project(other.messages, { now: START + 2 }).messages;
      assert.equal(changedResults(other, sent).length, after === 'deploy' ? 0 : 1, `${before}, then ${after}`);
    }
  });

  test('issue 22.4 where the host’s function throws or promises, the result stays and the log says so without its words', () => {
    const entries = /** @type {any[]} */ ([]);
    setLogger(/** @type {any} */ ({ warn: (/** @type {any[]} */ ...entry) => entries.push(entry) }));
    assert.deepEqual(
      of({
        protect: ({ content }) => {
          throw new Error(content);
        },
      }),
      [],
    );
    assert.deepEqual(of({ pin: () => Promise.reject(new Error('late')) }), []);
    const told = JSON.stringify(entries);
    assert.ok(told.includes('unanswered') && told.includes('deploy') && !told.includes('a line of output'), told);
  });

  test('issue 22.4 an import asks again', () => {
    dialect = 'anthropic';
    const { messages } = session();
    const view = new ContextView({
      price: 'none',
      keepTools: ['bash'],
      protect: ({ toolName }) => toolName === 'deploy',
    });
    const sent = view.project(messages, { now: START }).messages;
    const facts = JSON.parse(JSON.stringify(view.export()));
    let asked = 0;
    const protect = (/** @type {any} */ { toolName }) => ++asked > 0 && toolName === 'deploy';
    const other = ContextView.import(facts, { price: 'none', keepTools: ['bash'], protect });
    assert.deepEqual(other.project(messages, { now: START + 1 }).messages, sent);
    assert.ok(asked > 0);
  });

  test('issue 22.4 what can match no tool, and what is no list, is refused', () => {
    const refused = /** @type {[any, any][]} */ ([
      [{ keepTools: 'bash' }, 'ERR_INVALID_ARG_TYPE'],
      [{ keepTools: [7] }, 'ERR_INVALID_ARG_TYPE'],
      [{ dropTools: ['^bash$'] }, 'ERR_OUT_OF_RANGE'],
      [{ dropTools: [''] }, 'ERR_OUT_OF_RANGE'],
      [{ keepTool: ['bash'] }, 'ERR_UNKNOWN_OPTION'],
      [{ protect: 'bash' }, 'ERR_INVALID_ARG_TYPE'],
      [{ protect: async () => true }, 'ERR_INVALID_ARG_TYPE'],
      [{ pin: { id: 'a' } }, 'ERR_INVALID_ARG_TYPE'],
      [{ pin: [''] }, 'ERR_INVALID_ARG_TYPE'],
    ]);
    for (const [options, code] of refused) {
      assert.throws(() => new ContextView(options), code === 'ERR_UNKNOWN_OPTION' ? TypeError : { code });
    }
  });
});
