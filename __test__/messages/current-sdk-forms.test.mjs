// @ts-check
/** Message forms of recent SDK versions: shell and patch calls of Responses, server tools, Bedrock, and tool results without a usual id. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { prepareMessages, stripForApi, TokenCounter } from 'palimpsest';
import { DIALECTS } from '../support/dialects.mjs';
import { withoutOrphans } from '../support/old-results.mjs';

/** @typedef {any} Untyped */
const OUTPUT = 'The outdated output of a command.\n'.repeat(12);
const TURNS = 60;
const OLD = { unknownAge: 'old', terminal: { terminalTools: ['shell'], keepRecent: 5 }, orphans: 'answer' };
const EDITS = [{ name: 'edits', tools: ['apply_patch'], keepRecent: 5, placeholder: '[an edit]' }];

/** @param {(nth: number) => Untyped[]} turn */
const turns = (turn) => [
  { role: 'user', content: 'Go on' },
  ...Array.from({ length: TURNS }, (_, nth) => turn(nth)).flat(),
];

/** @param {Untyped[]} messages @param {object} [options] */
const prepared = (messages, options) => prepareMessages(messages, /** @type {Untyped} */ ({ ...OLD, ...options }));

describe('R11.2 Responses: outputs of the application’s shell and patches are replaced like those of other tools', () => {
  const shell = (/** @type {number} */ nth, /** @type {Untyped[]} */ output) => [
    { type: 'shell_call', call_id: `c${nth}`, action: { commands: ['ls', 'make'] } },
    { type: 'shell_call_output', call_id: `c${nth}`, max_output_length: 4096, output },
  ];
  const succeeded = { type: 'exit', exit_code: 0 };

  test('a replaced shell output keeps an entry for each command, with its outcome', () => {
    const output = [
      { stdout: OUTPUT, stderr: '', outcome: succeeded },
      { stdout: 'ok', stderr: 'warning', outcome: succeeded },
    ];
    const messages = turns((nth) => shell(nth, output));
    const { messages: sent, report } = prepared(messages, { placeholderLanguage: 'en' });
    assert.deepEqual([report.changed, report.unrecognised, report.unchangeable], [TURNS - 5, 0, 0]);
    assert.deepEqual(/** @type {Untyped} */ (sent[2]), {
      ...messages[2],
      output: [
        { stdout: '[Outdated command output removed]', stderr: '', outcome: succeeded },
        { stdout: '', stderr: '', outcome: succeeded },
      ],
    });
    assert.equal(prepared(sent, { placeholderLanguage: 'en' }).report.changed, 0, 'the placeholder is recognised');
  });

  test('R11.3 a shell output with a command that failed or timed out is kept, in both spellings of exit_code', () => {
    for (const outcome of [{ type: 'exit', exit_code: 2 }, { type: 'exit', exitCode: 2 }, { type: 'timeout' }]) {
      const messages = turns((nth) => shell(nth, [{ stdout: OUTPUT, stderr: '', outcome }]));
      assert.equal(prepared(messages).report.changed, 0);
    }
  });

  test('the text of an apply_patch_call_output is replaced and its status stays, and a failed one is kept', () => {
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

  test('R11.4 an interrupted shell, patch or custom call is answered by an output of its own type', () => {
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
    assert.deepEqual(withoutOrphans(messages), messages);
  });
});

describe('report.unchangeable counts results that no rule can replace', () => {
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
    test(`${form} is counted and left unchanged`, () => {
      const messages = turns(turn);
      const { messages: sent, report } = prepared(messages);
      assert.deepEqual([report.changed, report.unchangeable, report.unrecognised], [0, TURNS, 0]);
      assert.ok(sent.every((message, index) => message === messages[index]));
      assert.equal(report.toJSON().unchangeable, TURNS);
      assert.equal(prepared(messages.slice(0, 1)).report.unchangeable, 0, 'a shorter conversation');
      assert.equal(prepared(messages).report.unchangeable, TURNS, 'the whole conversation again');
      assert.deepEqual(withoutOrphans(messages), messages);
    });
  }

  test('a call of a server tool without output is not counted', () => {
    const item = { type: 'mcp_call', id: 'm', name: 'ask', arguments: '{}', server_label: 'db' };
    assert.equal(prepared([item, { ...item, output: null }, { ...item, output: '' }]).report.unchangeable, 0);
  });
});

describe('R11 Bedrock Converse', () => {
  const call = (/** @type {string} */ toolUseId) => ({
    toolUse: { toolUseId, name: 'shell', input: { command: 'ls' } },
  });
  const result = (/** @type {string} */ toolUseId, fields = {}) => ({
    toolResult: { toolUseId, content: [{ text: OUTPUT }], ...fields },
  });
  const cached = { cachePoint: { type: 'default' } };
  const OLDEST = { ...OLD, terminal: { terminalTools: ['shell'], keepRecent: 0 }, placeholderLanguage: 'en' };
  const PLACEHOLDER = [{ text: '[Outdated command output removed]' }];
  const done = { role: 'assistant', content: [{ text: 'Done.' }] };

  test('R11.2 only the outdated result changes, and keeps its status', () => {
    const messages = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a', { status: 'success' }), result('b', { status: 'error' }), cached] },
      done,
    ];
    const { messages: sent, report } = prepareMessages(messages, /** @type {Untyped} */ (OLDEST));
    const [, , user] = /** @type {Untyped[]} */ (sent);
    assert.deepEqual(user.content[0], { toolResult: { toolUseId: 'a', status: 'success', content: PLACEHOLDER } });
    assert.equal(user.content[1], messages[2]?.content[1]);
    assert.equal(user.content[2], cached);
    assert.deepEqual([report.changed, report.unrecognised], [1, 0]);
  });

  test('R11.5 a result with JSON, an image or a document is replaced, and one with an unknown block is kept', () => {
    const bytes = new Uint8Array(5_000);
    for (const [content, isReplaced] of /** @type {[Untyped[], boolean][]} */ ([
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
      assert.deepEqual(user.content[0].toolResult.content, isReplaced ? PLACEHOLDER : content);
    }
  });

  test('R11.4 after removal user and assistant messages alternate, and no cache point is alone in a message', () => {
    const before = { role: 'user', content: [{ text: 'Do' }, { cachePoint: { type: 'default' } }] };
    const messages = [
      before,
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'user', content: [result('a'), cached] },
      { role: 'user', content: [{ text: 'Stop' }] },
      done,
    ];
    const api = withoutOrphans(messages);
    assert.deepEqual(api, [{ role: 'user', content: [...before.content, { text: 'Stop' }] }, done]);
    assert.deepEqual(DIALECTS.bedrock?.problemsIn(api), []);
    assert.equal(before.content.length, 2, 'R0.1 the stored message is unchanged');
  });

  test('R11.4 an added result has a status only if another result has one, because some models refuse it', () => {
    const calls = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content: [call('a'), call('b')] },
    ];
    for (const [given, status] of [
      [result('a'), undefined],
      [result('a', { status: 'success' }), 'error'],
    ]) {
      const messages = [...calls, { role: 'user', content: [given, { text: 'And?' }] }];
      const { messages: sent } = prepareMessages(messages, { orphans: 'answer' });
      const [, , user] = /** @type {Untyped[]} */ (sent);
      assert.deepEqual([user.content[1].toolResult.toolUseId, user.content[1].toolResult.status], ['b', status]);
      assert.deepEqual(DIALECTS.bedrock?.problemsIn(sent), []);
    }
  });

  test('an image counts as an image, and stripForApi removes fields that the provider refuses', () => {
    const image = { image: { format: 'png', source: { bytes: Buffer.alloc(40_000, 1) } } };
    const counter = new TokenCounter();
    const none = counter.countMessage({ role: 'user', content: [cached, { text: 'a' }] });
    const tokens = counter.countMessage({ role: 'user', content: [cached, { text: 'a' }, image] }) - none;
    assert.ok(tokens > 50 && tokens < 2_000, `${tokens}`);
    const message = { role: 'user', content: [result('a')] };
    assert.deepEqual(stripForApi([{ ...message, timestamp: 1, isCompressed: true }]), [message]);
  });

  test('a call of a server tool is no orphan, and its result is counted as unchangeable', () => {
    const content = [
      { toolUse: { toolUseId: 's', name: 'web', input: {}, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 's', content: [{ text: OUTPUT }], type: 'x' } },
    ];
    const messages = [
      { role: 'user', content: [{ text: 'Do' }] },
      { role: 'assistant', content },
    ];
    assert.deepEqual(withoutOrphans(messages), messages);
    assert.equal(prepareMessages(messages).report.unchangeable, 1);
  });
});

describe('R3.1 results without a tool_call_id', () => {
  const calling = (/** @type {string[]} */ ...ids) => ({
    role: 'assistant',
    content: '',
    tool_calls: ids.map((id) => ({ id, function: { name: 'bash', arguments: '{}' } })),
  });
  test('R3.2 a result with a list of one id (SWE-agent), or without an id, is no orphan', () => {
    for (const result of [
      { role: 'tool', content: OUTPUT, tool_call_ids: ['c1'] },
      { role: 'tool', content: OUTPUT, toolCallIds: ['c1'] },
      { role: 'tool', content: OUTPUT },
      { role: 'function', name: 'bash', content: OUTPUT },
    ]) {
      const messages = [{ role: 'user', content: 'a' }, calling('c1'), result, { role: 'user', content: 'b' }];
      assert.deepEqual(withoutOrphans(messages), messages, JSON.stringify(result));
      assert.deepEqual(prepareMessages(messages, { orphans: 'answer' }).messages, messages);
    }
  });

  test('a result with a list of one id is replaced like others, and removed as a duplicate or without its call', () => {
    const list = (/** @type {string} */ id, content = OUTPUT) => ({ role: 'tool', content, tool_call_ids: [id] });
    const messages = [calling('c1'), list('c1', 'a'), list('c1', 'b')];
    assert.deepEqual(withoutOrphans(messages), [messages[0], messages[2]]);
    const old = [calling('c1'), list('c1'), { role: 'assistant', content: 'Done.' }];
    const options = /** @type {Untyped} */ ({
      unknownAge: 'old',
      terminal: { keepRecent: 0, terminalTools: ['bash'] },
    });
    assert.equal(prepareMessages(old, options).report.changed, 1);
    assert.deepEqual(withoutOrphans([calling('c1'), list('c2')]), [], 'a result of another call is an orphan');
  });

  test('a message of an unknown form, which may be a result, keeps the calls of its turn but not of other turns', () => {
    for (const unknown of [
      { role: 'tool', content: 'x', tool_call_ids: ['c1', 'c2'] },
      { role: 'tool_response', call: 'c1', content: 'x' },
      { role: 'user', content: [{ kind: 'tool-output', of: 'c1' }] },
      { role: 'observation', content: 'x' },
    ]) {
      const turn = [calling('c1', 'c2'), unknown];
      const messages = [calling('c0'), { role: 'user', content: 'a' }, ...turn, { role: 'user', content: 'b' }];
      assert.deepEqual(withoutOrphans(messages), messages.slice(1), JSON.stringify(unknown));
    }
    const orphan = { role: 'tool', tool_call_id: 'c9', content: 'x' };
    const calls = { role: 'agent', function_calls: [{ id: 'c9' }] };
    assert.deepEqual(withoutOrphans([calls, orphan]), [calls, orphan]);
    assert.deepEqual(withoutOrphans([{ role: 'note', content: 'mine' }, orphan]), [{ role: 'note', content: 'mine' }]);
    const noted = [calling('c1'), { role: 'note', content: 'mine' }];
    assert.deepEqual(withoutOrphans(noted), [noted[1]], 'a note is no result');
  });
});

describe('R11.4 Responses: a reasoning item', () => {
  const reasoning = (/** @type {string} */ id) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'x' });
  const call = (/** @type {string} */ id) => ({ type: 'function_call', call_id: id, name: 'bash', arguments: '{}' });
  const output = (/** @type {string} */ id) => ({ type: 'function_call_output', call_id: id, output: 'done' });
  test('is removed with the call after it, whatever comes next, and kept before a text', () => {
    const next = [reasoning('r2'), call('b'), output('b')];
    assert.deepEqual(withoutOrphans([reasoning('r1'), call('a'), ...next]), next);
    assert.deepEqual(withoutOrphans([reasoning('r0'), reasoning('r1'), call('a'), ...next]), next);
    const text = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'x' }] };
    assert.deepEqual(
      withoutOrphans([reasoning('r1'), text, call('a')]),
      [reasoning('r1'), text],
      'it belongs to the text',
    );
    assert.deepEqual(withoutOrphans([reasoning('r1'), call('a'), { role: 'user', content: 'b' }]), [
      { role: 'user', content: 'b' },
    ]);
  });
});

describe('R11.4 Gemini: a content with one of two responses', () => {
  const call = { role: 'model', parts: ['a', 'b'].map((id) => ({ functionCall: { id, name: 'bash', args: {} } })) };
  const response = { functionResponse: { id: 'a', name: 'bash', response: { output: 'x' } } };
  const ask = { role: 'user', parts: [{ text: 'Do' }] };
  test('and a text gets the missing response, since the turn is over', () => {
    const content = { role: 'user', parts: [response, { text: 'And?' }] };
    const { messages } = prepareMessages([ask, call, content], { orphans: 'answer' });
    assert.deepEqual(DIALECTS.gemini?.problemsIn(messages), []);
    assert.equal(/** @type {Untyped} */ (messages[2]).parts.length, 3);
  });
});

describe('R11.4 LangChain: a result added to a conversation without a ToolMessage', () => {
  test('has a class called ToolMessage, in JSON too', async () => {
    const { AIMessage, HumanMessage } = await import('@langchain/core/messages');
    const call = new AIMessage({ content: '', tool_calls: [{ id: 'a', name: 'bash', args: {}, type: 'tool_call' }] });
    const { messages } = prepareMessages([call, new HumanMessage('Stop')], { orphans: 'answer' });
    const [, answer] = /** @type {Untyped[]} */ (messages);
    assert.equal(answer.constructor.name, 'ToolMessage');
    assert.equal(answer.toJSON().id.at(-1), 'ToolMessage');
  });
});
