// @ts-check
/** `keepTools`, `dropTools`, `protect` and `pin`, in every dialect. */
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { ContextView, setLogger } from 'palimpsest';
import { changedResults, DIALECTS } from '../support/dialects.mjs';
import { START } from '../support/histories.mjs';
import { outdatedSession } from '../support/outdated-session.mjs';

const TOOLS = ['bash', 'mcp__db__query', 'mcp__db__schema', 'deploy'];
const session = (/** @type {string} */ dialect) =>
  outdatedSession(dialect, [
    TOOLS.map((tool) => [tool, { command: 'npm test' }, `${tool} said: ${'a line of output\n'.repeat(200)}`]),
  ]);

/** Tools whose results are replaced. @param {string} dialect @param {any} options */
function replacedTools(dialect, options) {
  const converted = session(dialect);
  const view = new ContextView({ price: 'none', ...options });
  const sent = view.project(converted.messages, { now: START }).messages;
  return changedResults(converted, sent).map((key) => TOOLS[Number(key.split('_')[1])]);
}

for (const name of Object.keys(DIALECTS)) {
  describe(`${name}: results to keep`, () => {
    const replaced = (/** @type {any} */ options) => replacedTools(name, options);

    test('results of `keepTools` stay, also if `dropTools` names them', () => {
      assert.deepEqual(replaced({}), TOOLS);
      assert.deepEqual(replaced({ keepTools: ['mcp__db__*', 'deploy'] }), ['bash']);
      assert.deepEqual(replaced({ keepTools: ['mcp__db__schema'], dropTools: ['mcp__*'], outdatedBy: 'nothing' }), [
        'mcp__db__query',
      ]);
    });

    test('results stay that `protect` or `pin` selects', () => {
      assert.deepEqual(replaced({ protect: ({ toolName }) => toolName === 'deploy' }), TOOLS.slice(0, 3));
      assert.deepEqual(replaced({ protect: ({ content }) => content.startsWith('bash said') }), TOOLS.slice(1));
      const { messages, places } = session(name);
      const first = messages[places[0]?.message ?? -1];
      const otherMessages = TOOLS.filter((_, at) => places[at]?.message !== places[0]?.message);
      assert.deepEqual(
        replaced({ pin: (/** @type {any} */ message) => JSON.stringify(message) === JSON.stringify(first) }),
        otherMessages,
      );
    });
  });
}

describe('results to keep', () => {
  afterEach(() => setLogger(null));
  const replaced = (/** @type {any} */ options) => replacedTools('anthropic', options);

  test('the id of a call in `pin` keeps only its own result', () => {
    const { messages, places } = session('anthropic');
    const result = messages[places[1]?.message ?? -1].content[places[1]?.part ?? -1];
    assert.deepEqual(replaced({ pin: [result.tool_use_id] }), TOOLS.toSpliced(1, 1));
  });

  test('`protect` is called once for each outdated result, with that result', () => {
    const received = /** @type {any[]} */ ([]);
    const { messages } = session('anthropic');
    const view = new ContextView({ price: 'none', protect: (result) => received.push(result) > 0 });
    for (let now = START; now < START + 3; now++) {
      const { messages: sent, report } = view.project(messages, { now });
      assert.deepEqual(sent, messages);
      assert.equal(report.changed, 0);
    }
    assert.deepEqual(
      received.map(({ toolName }) => toolName),
      TOOLS,
    );
    for (const { content, toolName, message, index, toolCallId } of received) {
      assert.ok(content.startsWith(`${toolName} said`) && messages[index] === message && toolCallId !== '');
    }
    assert.deepEqual(view.plan({ now: START + 9 }).pending, []);
  });

  test('a result without an id gives `protect` no made-up id', () => {
    for (const [name, ids] of /** @type {const} */ ([
      ['gemini without ids', TOOLS.map(() => '')],
      ['anthropic', TOOLS.map((_, at) => `call_${at}`)],
    ])) {
      const received = /** @type {any[]} */ ([]);
      replacedTools(name, { protect: (/** @type {any} */ result) => received.push(result) > 0 });
      assert.deepEqual(
        received.map(({ toolCallId, toolName }) => [toolCallId, toolName]),
        TOOLS.map((tool, at) => [ids[at], tool]),
      );
    }
  });

  test('a result that names the second id of its call has the tool’s name, and both ids pin it', () => {
    const { messages } = session('openai-chat');
    for (const call of messages.flatMap(({ tool_calls: calls }) => calls ?? [])) call.call_id = `first_${call.id}`;
    const keptBy = (/** @type {any} */ options) => {
      const sent = new ContextView({ price: 'none', ...options }).project(messages, { now: START }).messages;
      return messages.filter((message, index) => message.role === 'tool' && sent[index] === message).length;
    };
    assert.equal(keptBy({ pin: ['call_1'] }), keptBy({}) + 1);
    assert.equal(keptBy({ pin: ['first_call_1'] }), keptBy({}) + 1);
    assert.equal(keptBy({ protect: (/** @type {any} */ { toolName }) => toolName === 'deploy' }), keptBy({}) + 1);
  });

  test('R10.12 if an id is used again in every turn, `protect` gets the tool of the call that the result answers, in a new view, too', () => {
    const turn = (/** @type {string} */ tool) => [
      { role: 'user', content: `Run ${tool}.` },
      { role: 'assistant', tool_calls: [{ id: '1', function: { name: tool, arguments: '{"command":"x"}' } }] },
      { role: 'tool', tool_call_id: '1', content: `${tool} said: ${'a line of output\n'.repeat(200)}` },
    ];
    const turns = ['bash', ...Array.from({ length: 70 }, () => 'deploy')].map(turn);
    const options = { price: 'none', protect: (/** @type {any} */ { toolName }) => toolName === 'bash' };
    const grown = new ContextView(/** @type {any} */ (options));
    const stored = /** @type {any[]} */ ([]);
    let sent = /** @type {any[]} */ ([]);
    for (const messages of turns) {
      stored.push(...messages);
      sent = grown.project(stored, { now: START }).messages;
    }
    assert.equal(sent[2].content, stored[2].content);
    assert.ok(sent.some(({ content }, index) => content !== stored[index].content));
    assert.deepEqual(new ContextView(/** @type {any} */ (options)).project(stored, { now: START }).messages, sent);
  });

  test('after a rewind, `protect` is called for another call’s result with the same text', () => {
    const protect = (/** @type {any} */ { toolName }) => toolName === 'deploy';
    for (const [before, after] of [
      ['bash', 'deploy'],
      ['deploy', 'bash'],
    ]) {
      const withCallOf = (tool = '') =>
        outdatedSession('anthropic', [[[tool, { command: 'npm test' }, 'a line of output\n'.repeat(200)]]]);
      const [{ messages }, rewound] = [withCallOf(before), withCallOf(after)];
      const view = new ContextView({ price: 'none', protect });
      view.project(messages.slice(0, 3), { now: START });
      view.project(messages, { now: START + 1 });
      const sent = view.project(rewound.messages, { now: START + 2 }).messages;
      assert.equal(changedResults(rewound, sent).length, after === 'deploy' ? 0 : 1, `${before}, then ${after}`);
    }
  });

  test('R9.2 if `protect` or `pin` throws or returns a promise, the result stays, and the log has no content of it', () => {
    const entries = /** @type {any[]} */ ([]);
    setLogger(/** @type {any} */ ({ warn: (/** @type {any[]} */ ...entry) => entries.push(entry) }));
    assert.deepEqual(
      replaced({
        protect: ({ content }) => {
          throw new Error(content);
        },
      }),
      [],
    );
    assert.deepEqual(replaced({ pin: () => Promise.reject(new Error('late')) }), []);
    const log = JSON.stringify(entries);
    assert.ok(log.includes('unanswered') && log.includes('deploy') && !log.includes('a line of output'), log);
  });

  test('an imported view calls `protect` again, and sends the same messages', () => {
    const { messages } = session('anthropic');
    let calls = 0;
    const protect = (/** @type {any} */ { toolName }) => ++calls > 0 && toolName === 'deploy';
    const options = /** @type {const} */ ({ price: 'none', keepTools: ['bash'], protect });
    const view = new ContextView(options);
    const sent = view.project(messages, { now: START }).messages;
    const facts = JSON.parse(JSON.stringify(view.export()));
    calls = 0;
    const imported = ContextView.import(facts, options);
    assert.deepEqual(imported.project(messages, { now: START + 1 }).messages, sent);
    assert.ok(calls > 0);
  });

  test('R0.3 invalid values of `keepTools`, `dropTools`, `protect` and `pin` are rejected', () => {
    const rejected = /** @type {[any, any][]} */ ([
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
    for (const [options, code] of rejected) {
      assert.throws(() => new ContextView(options), code === 'ERR_UNKNOWN_OPTION' ? TypeError : { code });
    }
  });
});
