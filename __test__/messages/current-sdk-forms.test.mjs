// @ts-check
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cleanOrphanedToolCalls, prepareMessages, stripForApi, TokenCounter } from 'palimpsest';
import { DIALECTS } from '../support/dialects.mjs';

/** @typedef {any} Untyped */
const OUTPUT = 'The outdated output of a command.\n'.repeat(12);
const TURNS = 60;
const OLD = { unknownAge: 'old', terminal: { terminalTools: ['shell'], keepRecent: 5 }, orphans: 'answer' };
const EDITS = [{ name: 'edits', tools: ['apply_patch'], keepRecent: 5, placeholder: '[an edit]' }];

/** @param {readonly Untyped[]} messages */
function cleaned(messages) {
  const api = [...messages];
  cleanOrphanedToolCalls(api);
  return api;
}

/** @param {(nth: number) => Untyped[]} turn */
const turns = (turn) => [
  { role: 'user', content: 'Go on' },
  ...Array.from({ length: TURNS }, (_, nth) => turn(nth)).flat(),
];

/** @param {Untyped[]} messages @param {object} [more] */
const prepared = (messages, more) => prepareMessages(messages, /** @type {Untyped} */ ({ ...OLD, ...more }));

describe('R11.2 Responses: outputs of a host’s own shell and patches age like those of any other tool', () => {
  const shell = (/** @type {number} */ nth, /** @type {Untyped[]} */ output) => [
    { type: 'shell_call', call_id: `c${nth}`, action: { commands: ['ls', 'make'] } },
    { type: 'shell_call_output', call_id: `c${nth}`, max_output_length: 4096, output },
  ];
  const ended = { type: 'exit', exit_code: 0 };

  test('each command of a shell keeps its place and how it ended', () => {
    const output = [
      { stdout: OUTPUT, stderr: '', outcome: ended },
      { stdout: 'ok', stderr: 'warning', outcome: ended },
    ];
    const messages = turns((nth) => shell(nth, output));
    const { messages: sent, report } = prepared(messages, { placeholderLanguage: 'en' });
    assert.deepEqual([report.changed, report.unrecognised, report.unchangeable], [TURNS - 5, 0, 0]);
    assert.deepEqual(/** @type {Untyped} */ (sent[2]), {
      ...messages[2],
      output: [
        { stdout: '[Outdated command output removed]', stderr: '', outcome: ended },
        { stdout: '', stderr: '', outcome: ended },
      ],
    });
    assert.equal(prepared(sent, { placeholderLanguage: 'en' }).report.changed, 0, 'it is known again');
  });

  test('one of which a command failed or was stopped stays, whatever the spelling', () => {
    for (const outcome of [{ type: 'exit', exit_code: 2 }, { type: 'exit', exitCode: 2 }, { type: 'timeout' }]) {
      const messages = turns((nth) => shell(nth, [{ stdout: OUTPUT, stderr: '', outcome }]));
      assert.equal(prepared(messages).report.changed, 0);
    }
  });

  test('apply_patch_call_output: its text, and its status stays', () => {
    const messages = turns((nth) => [
      { type: 'apply_patch_call', call_id: `c${nth}`, operation: { type: 'update_file', path: 'a', diff: '' } },
      { type: 'apply_patch_call_output', call_id: `c${nth}`, status: 'completed', output: OUTPUT },
    ]);
    const { messages: sent, report } = prepared(messages, { rules: EDITS });
    assert.equal(report.byRule.edits?.changed, TURNS - 5);
    assert.deepEqual(sent[2], { ...messages[2], output: '[an edit]' });
    const failed = messages.map((item) => ('status' in item ? { ...item, status: 'failed' } : item));
    assert.equal(prepared(failed, { rules: EDITS }).report.changed, 0);
  });

  test('an interrupted call is answered in the form of its kind', () => {
    const calls = [
      { type: 'shell_call', call_id: 'a', action: { commands: ['ls'] } },
      { type: 'apply_patch_call', call_id: 'b', operation: {} },
      { type: 'custom_tool_call', call_id: 'c', name: 'x', input: '' },
    ];
    const { messages } = prepareMessages([...calls, { role: 'user', content: 'Stop' }], { orphans: 'answer' });
    const outputs = messages.filter((/** @type {Untyped} */ { type }) => type?.endsWith('_output'));
    assert.deepEqual(
      new Set(outputs.map((/** @type {Untyped} */ { type, call_id: id }) => `${type} ${id}`)),
      new Set(['shell_call_output a', 'apply_patch_call_output b', 'custom_tool_call_output c']),
    );
    assert.deepEqual(cleaned(messages), messages);
  });
});

describe('R11.2 what no rule can replace is counted, never passed over in silence', () => {
  const text = { type: 'text', text: OUTPUT };
  const served = (/** @type {Untyped} */ call, /** @type {Untyped} */ result) => (/** @type {number} */ nth) => [
    {
      role: 'assistant',
      content: [{ id: `s${nth}`, input: {}, ...call }, { tool_use_id: `s${nth}`, ...result }, text],
    },
    { role: 'user', content: 'And?' },
  ];
  const search = { type: 'server_tool_use', name: 'web_search' };
  /** @type {Record<string, (nth: number) => Untyped[]>} */
  const FORMS = {
    mcp_tool_result: served(
      { type: 'mcp_tool_use', name: 'ask', server_name: 'db' },
      { type: 'mcp_tool_result', is_error: false, content: [text] },
    ),
    web_search_tool_result: served(search, {
      type: 'web_search_tool_result',
      content: [{ type: 'web_search_result', url: 'u', title: 't', encrypted_content: OUTPUT }],
    }),
    web_fetch_tool_result: served(search, { type: 'web_fetch_tool_result', content: { type: 'web_fetch_result' } }),
    code_execution_tool_result: served(search, { type: 'code_execution_tool_result', content: {} }),
    bash_code_execution_tool_result: served(search, { type: 'bash_code_execution_tool_result', content: {} }),
    advisor_tool_result: served(search, { type: 'advisor_tool_result', content: {} }),
    mcp_call: (nth) => [
      { type: 'mcp_call', id: `m${nth}`, name: 'ask', arguments: '{}', server_label: 'db', output: OUTPUT },
    ],
    code_interpreter_call: (nth) => [
      { type: 'code_interpreter_call', id: `i${nth}`, code: '1', outputs: [{ type: 'logs', logs: OUTPUT }] },
    ],
    file_search_call: (nth) => [
      { type: 'file_search_call', id: `f${nth}`, queries: ['a'], results: [{ text: OUTPUT }] },
    ],
    image_generation_call: (nth) => [{ type: 'image_generation_call', id: `g${nth}`, result: 'AAAA' }],
    computer_call_output: (nth) => [
      { type: 'computer_call', call_id: `c${nth}`, action: {} },
      { type: 'computer_call_output', call_id: `c${nth}`, output: { type: 'computer_screenshot', image_url: 'data:' } },
    ],
    'Gemini’s codeExecutionResult': () => [
      { role: 'model', parts: [{ executableCode: { code: '1' } }, { codeExecutionResult: { output: OUTPUT } }] },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
    'the AI SDK’s providerExecuted': (nth) => [
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: `p${nth}`, toolName: 'web', input: {}, providerExecuted: true },
          { type: 'tool-result', toolCallId: `p${nth}`, toolName: 'web', output: { type: 'text', value: OUTPUT } },
        ],
      },
    ],
    'LangChain’s content': (nth) => [
      {
        type: 'ai',
        content: [{ type: 'web_search_tool_result', tool_use_id: `s${nth}`, content: [] }],
        tool_calls: [],
      },
    ],
  };

  for (const [form, turn] of Object.entries(FORMS)) {
    test(form, () => {
      const messages = turns(turn);
      const { messages: sent, report } = prepared(messages);
      assert.deepEqual([report.changed, report.unchangeable, report.unrecognised], [0, TURNS, 0]);
      assert.ok(sent.every((message, index) => message === messages[index]));
      assert.equal(report.toJSON().unchangeable, TURNS);
      assert.equal(prepared(messages.slice(0, 1)).report.unchangeable, 0, 'rewound');
      assert.equal(prepared(messages).report.unchangeable, TURNS, 'and gone on with');
      assert.deepEqual(cleaned(messages), messages);
    });
  }

  test('a call of a server’s tool without a result counts as none', () => {
    const item = { type: 'mcp_call', id: 'm', name: 'ask', arguments: '{}', server_label: 'db' };
    assert.equal(prepared([item, { ...item, output: null }, { ...item, output: '' }]).report.unchangeable, 0);
  });
});

describe('R11 Bedrock Converse', () => {
  const call = (/** @type {string} */ toolUseId) => ({
    toolUse: { toolUseId, name: 'shell', input: { command: 'ls' } },
  });
  const result = (/** @type {string} */ toolUseId, more = {}) => ({
    toolResult: { toolUseId, content: [{ text: OUTPUT }], ...more },
  });
  const cached = { cachePoint: { type: 'default' } };
  const OLDEST = { ...OLD, terminal: { terminalTools: ['shell'], keepRecent: 0 }, placeholderLanguage: 'en' };
  const GONE = [{ text: '[Outdated command output removed]' }];
  const done = { role: 'assistant', content: [{ text: 'Done.' }] };

  test('only the old result changes: a failed one, the cache point and the status stay', () => {
    const messages = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a', { status: 'success' }), result('b', { status: 'error' }), cached] },
      done,
    ];
    const { messages: sent, report } = prepareMessages(messages, /** @type {Untyped} */ (OLDEST));
    const [, , user] = /** @type {Untyped[]} */ (sent);
    assert.deepEqual(user.content[0], { toolResult: { toolUseId: 'a', status: 'success', content: GONE } });
    assert.equal(user.content[1], messages[2]?.content[1]);
    assert.equal(user.content[2], cached);
    assert.deepEqual([report.changed, report.unrecognised], [1, 0]);
  });

  test('JSON, images, documents and bytes go with their result; a block of no known kind keeps it', () => {
    const bytes = new Uint8Array(5_000);
    for (const [content, goes] of /** @type {[Untyped[], boolean][]} */ ([
      [[{ json: { rows: [OUTPUT] } }], true],
      [[{ text: 'ok' }, { image: { format: 'png', source: { bytes } } }], true],
      [[{ document: { format: 'pdf', name: 'a', source: { bytes } } }], true],
      [[{ document: { format: 'txt', name: 'a', source: { text: OUTPUT } } }], true],
      [[{ text: OUTPUT }, { hologram: {} }], false],
    ])) {
      const messages = [
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: [result('a', { content })] },
        done,
      ];
      const [, user] = /** @type {Untyped[]} */ (prepareMessages(messages, /** @type {Untyped} */ (OLDEST)).messages);
      assert.deepEqual(user.content[0].toolResult.content, goes ? GONE : content);
    }
  });

  test('what is removed leaves sides that take turns, and no cache point by itself', () => {
    const before = { role: 'user', content: [{ text: 'Do' }, { cachePoint: { type: 'default' } }] };
    const messages = [
      before,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a'), cached] },
      { role: 'user', content: [{ text: 'Stop' }] },
      done,
    ];
    const api = cleaned(messages);
    assert.deepEqual(api, [{ role: 'user', content: [...before.content, { text: 'Stop' }] }, done]);
    assert.deepEqual(DIALECTS.bedrock?.problemsIn(api), []);
    assert.equal(before.content.length, 2, 'what is stored is not written to');
  });

  test('an answer has a status only where another result has one: some models refuse it', () => {
    const asked = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content: [call('a'), call('b')] },
    ];
    for (const [given, status] of [
      [result('a'), undefined],
      [result('a', { status: 'success' }), 'error'],
    ]) {
      const messages = [...asked, { role: 'user', content: [given, { text: 'And?' }] }];
      const { messages: sent } = prepareMessages(messages, { orphans: 'answer' });
      const [, , user] = /** @type {Untyped[]} */ (sent);
      assert.deepEqual([user.content[1].toolResult.toolUseId, user.content[1].toolResult.status], ['b', status]);
      assert.deepEqual(DIALECTS.bedrock?.problemsIn(sent), []);
    }
  });

  test('tokens count what is said, and images as images; requests keep what the provider takes', () => {
    const image = { image: { format: 'png', source: { bytes: Buffer.alloc(40_000, 1) } } };
    const counter = new TokenCounter();
    const none = counter.countMessage({ role: 'user', content: [cached, { text: 'a' }] });
    const tokens = counter.countMessage({ role: 'user', content: [cached, { text: 'a' }, image] }) - none;
    assert.ok(tokens > 50 && tokens < 2_000, `${tokens}`);
    const message = { role: 'user', content: [result('a')] };
    assert.deepEqual(stripForApi([{ ...message, timestamp: 1, isCompressed: true }]), [message]);
  });

  test('tools of the provider’s need no result, and theirs are counted as unchangeable', () => {
    const content = [
      { toolUse: { toolUseId: 's', name: 'web', input: {}, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 's', content: [{ text: OUTPUT }], type: 'x' } },
    ];
    const messages = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content },
    ];
    assert.deepEqual(cleaned(messages), messages);
    assert.equal(prepareMessages(messages).report.unchangeable, 1);
  });
});

describe('R3.1 forms that say whose result it is in another way', () => {
  const asks = (/** @type {string[]} */ ...ids) => ({
    role: 'assistant',
    content: '',
    tool_calls: ids.map((id) => ({ id, function: { name: 'bash', arguments: '{}' } })),
  });
  test('SWE-agent’s list of one id, and a result without any', () => {
    for (const result of [
      { role: 'tool', content: OUTPUT, tool_call_ids: ['c1'] },
      { role: 'tool', content: OUTPUT, toolCallIds: ['c1'] },
      { role: 'tool', content: OUTPUT },
      { role: 'function', name: 'bash', content: OUTPUT },
    ]) {
      const messages = [{ role: 'user', content: 'a' }, asks('c1'), result, { role: 'user', content: 'b' }];
      assert.deepEqual(cleaned(messages), messages, JSON.stringify(result));
      assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, messages);
    }
  });

  test('the id in the list is the call’s: it is aged, and a second result goes', () => {
    const list = (/** @type {string} */ id, content = OUTPUT) => ({ role: 'tool', content, tool_call_ids: [id] });
    const messages = [asks('c1'), list('c1', 'a'), list('c1', 'b')];
    assert.deepEqual(cleaned(messages), [messages[0], messages[2]]);
    const old = [asks('c1'), list('c1'), { role: 'assistant', content: 'Done.' }];
    const options = /** @type {Untyped} */ ({
      unknownAge: 'old',
      terminal: { keepRecent: 0, terminalTools: ['bash'] },
    });
    assert.equal(prepareMessages(old, options).report.changed, 1);
    assert.deepEqual(cleaned([asks('c1'), list('c2')]), [], 'of another call it is a stray');
  });

  test('a form that isn’t understood removes nothing of its turn, and of others what it did before', () => {
    for (const unknown of [
      { role: 'tool', content: 'x', tool_call_ids: ['c1', 'c2'] },
      { role: 'tool_response', call: 'c1', content: 'x' },
      { role: 'user', content: [{ kind: 'tool-output', of: 'c1' }] },
      { role: 'observation', content: 'x' },
    ]) {
      const turn = [asks('c1', 'c2'), unknown];
      const messages = [asks('c0'), { role: 'user', content: 'a' }, ...turn, { role: 'user', content: 'b' }];
      assert.deepEqual(cleaned(messages), messages.slice(1), JSON.stringify(unknown));
    }
    const stray = { role: 'tool', tool_call_id: 'c9', content: 'x' };
    const calls = { role: 'agent', function_calls: [{ id: 'c9' }] };
    assert.deepEqual(cleaned([calls, stray]), [calls, stray]);
    assert.deepEqual(cleaned([{ role: 'note', content: 'mine' }, stray]), [{ role: 'note', content: 'mine' }]);
    const noted = [asks('c1'), { role: 'note', content: 'mine' }];
    assert.deepEqual(cleaned(noted), [noted[1]], 'a note holds no result');
  });
});

describe('R11.4 Responses: a reasoning item without the call that followed it', () => {
  const reasoning = (/** @type {string} */ id) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'x' });
  const call = (/** @type {string} */ id) => ({ type: 'function_call', call_id: id, name: 'bash', arguments: '{}' });
  const output = (/** @type {string} */ id) => ({ type: 'function_call_output', call_id: id, output: 'done' });
  test('goes with it, whatever the model did next', () => {
    const next = [reasoning('r2'), call('b'), output('b')];
    assert.deepEqual(cleaned([reasoning('r1'), call('a'), ...next]), next);
    assert.deepEqual(cleaned([reasoning('r0'), reasoning('r1'), call('a'), ...next]), next);
    const text = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] };
    assert.deepEqual(cleaned([reasoning('r1'), text, call('a')]), [reasoning('r1'), text], 'it led to the text, too');
    assert.deepEqual(cleaned([reasoning('r1'), call('a'), { role: 'user', content: 'b' }]), [
      { role: 'user', content: 'b' },
    ]);
  });
});

describe('R11.4 Gemini: the last content holds one response of two', () => {
  const call = { role: 'model', parts: ['a', 'b'].map((id) => ({ functionCall: { id, name: 'bash', args: {} } })) };
  const response = { functionResponse: { id: 'a', name: 'bash', response: { output: 'x' } } };
  const ask = { role: 'user', parts: [{ text: 'Do' }] };
  test('and a text: the user has spoken, and the missing call is answered', () => {
    const content = { role: 'user', parts: [response, { text: 'And?' }] };
    const { messages } = prepareMessages([ask, call, content], { orphans: 'answer' });
    assert.deepEqual(DIALECTS.gemini?.problemsIn(messages), []);
    assert.equal(/** @type {Untyped} */ (messages[2]).parts.length, 3);
  });
});

describe('R11.4 LangChain: answers made without a ToolMessage at hand', () => {
  test('are of a class that is called so, in JSON too', async () => {
    const { AIMessage, HumanMessage } = await import('@langchain/core/messages');
    const asked = new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'bash', args: {}, type: 'tool_call' }] });
    const { messages } = prepareMessages([asked, new HumanMessage('Stop')], { orphans: 'answer' });
    const [, answer] = /** @type {Untyped[]} */ (messages);
    assert.equal(answer.constructor.name, 'ToolMessage');
    assert.equal(answer.toJSON().id.at(-1), 'ToolMessage');
  });
});
