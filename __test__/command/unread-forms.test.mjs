// @ts-check
/** Files of less common agents: all commands read them, or all refuse them with the same exit code; unknown prices are printed. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { directory, file, palimpsest } from '../support/command.mjs';

const commands = ['sessions', 'simulate', 'report', 'tokens', 'view'];
const words = 'word '.repeat(1000);
const lines = (/** @type {object[]} */ ...records) => records.map((record) => JSON.stringify(record)).join('\n');

/** @param {string} command @param {string} path */
function run(command, path) {
  return palimpsest(command === 'view' ? ['view', '--text', '--no-cache', path] : [command, path]);
}

/** @param {string} name @param {object} value */
function writeJson(name, value) {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), JSON.stringify(value, null, 2));
}

const textParts = (/** @type {string} */ text) => [{ type: 'text', text }];
const call = { type: 'tool_use', name: 'Read', input: { path: 'a' } };
const usage = { prompt_tokens: 9_000, completion_tokens: 1_000, total_tokens: 10_000 };
const cursor = lines(
  { role: 'user', message: { content: textParts(words) } },
  { role: 'assistant', message: { content: [...textParts('ok'), call] } },
  { type: 'turn_ended', status: 'success' },
);
const droid = lines(
  { type: 'session_start', id: 's', title: 'go', cwd: '/p' },
  { type: 'message', id: '1', message: { role: 'user', content: textParts(words) } },
  { type: 'message', id: '2', message: { role: 'assistant', content: textParts('ok') } },
);
const stream = lines(
  { type: 'init', session_id: 's', model: 'gemini-2.5-pro', timestamp: '2026-01-01T00:00:00Z' },
  { type: 'message', role: 'user', content: words, timestamp: '2026-01-01T00:00:00Z' },
  { type: 'message', role: 'assistant', content: 'ok', delta: true, timestamp: '2026-01-01T00:00:01Z' },
  {
    type: 'result',
    status: 'success',
    stats: { total_tokens: 1010, input_tokens: 1000, output_tokens: 10, cached: 0 },
  },
);
const history = [
  { role: 'user', content: words },
  { role: 'assistant', content: 'ok' },
];
const stats = { instance_cost: 0.25, tokens_sent: 1000, tokens_received: 10, api_calls: 1 };
const swe = {
  environment: 'main',
  trajectory: [{ action: 'ls', observation: 'a' }],
  history,
  info: { model_stats: stats },
};
const answered = { ...history[1], extra: { cost: 0.01, response: { model: 'deepseek-chat', usage } } };
const mini = [history[0], answered];
const steps = [
  { step_id: 1, source: 'user', message: words },
  {
    step_id: 2,
    source: 'agent',
    message: 'ok',
    metrics: { prompt_tokens: 1000, completion_tokens: 10, cached_tokens: 0 },
  },
];
const harbor = { schema_version: 'ATIF-v1.5', session_id: 's', agent: { name: 'a', model_name: 'glm-5.2' }, steps };
const writeOpencodeStorage = () => {
  const message = { sessionID: 'ses_1', time: { created: 1_767_225_600_000 } };
  writeJson('storage/session/p/ses_1.json', { id: 'ses_1', projectID: 'p', directory: '/p', time: { created: 1 } });
  writeJson('storage/message/ses_1/msg_1.json', { id: 'msg_1', role: 'user', ...message });
  writeJson('storage/message/ses_1/msg_2.json', { id: 'msg_2', role: 'assistant', modelID: 'x', ...message });
  writeJson('storage/part/msg_1/prt_1.json', {
    id: 'prt_1',
    sessionID: 'ses_1',
    messageID: 'msg_1',
    type: 'text',
    text: words,
  });
  writeJson('storage/part/msg_2/prt_2.json', {
    id: 'prt_2',
    sessionID: 'ses_1',
    messageID: 'msg_2',
    type: 'text',
    text: 'ok',
  });
  return 'storage';
};

describe('R12.1 session files of less common agents', () => {
  for (const [agent, path] of /** @type {[string, string][]} */ ([
    ['cursor', file('cursor.jsonl', cursor)],
    ['droid', file('droid.jsonl', droid)],
    ['gemini-cli', file('stream.jsonl', stream)],
    ['swe-agent', file('run.traj', swe)],
    ['mini-swe-agent', file('mini.traj.json', mini)],
    ['harbor', file('trajectory.json', harbor)],
    ['opencode', writeOpencodeStorage()],
  ])) {
    test(`every command reads a file of ${agent}, and counts its thousand words as a thousand tokens`, () => {
      for (const command of commands) {
        const { status, stderr } = run(command, path);
        assert.equal(status, 0, `${command}: ${stderr}`);
      }
      const [{ sessions }] = JSON.parse(palimpsest(['simulate', '--json', path]).stdout).files;
      assert.deepEqual([sessions[0].agent, sessions[0].requests, sessions[0].notes], [agent, 1, []]);
      const user = sessions[0].kinds.find((/** @type {{ kind: string }} */ { kind }) => kind === 'user');
      assert.ok(user.tokens.once >= 990, `${user.tokens.once}`);
      assert.match(palimpsest(['tokens', path]).stdout, /user +1,?\d{3}/);
    });
  }

  test('sessions finds all of these agents in a folder', () => {
    const { files } = JSON.parse(palimpsest(['sessions', '--json', '.']).stdout);
    const agents = new Set(
      files.flatMap((/** @type {any} */ { sessions }) => sessions.map((/** @type {any} */ { agent }) => agent)),
    );
    for (const agent of ['cursor', 'droid', 'swe-agent', 'mini-swe-agent', 'harbor', 'opencode'])
      assert.ok(agents.has(agent), agent);
  });
});

describe('R12.1 every command exits with 1 for a file that isn’t understood', () => {
  const foreign = [
    { role: 'user', content: '', blob: { said: words } },
    { role: 'assistant', content: '', blob: { said: words } },
  ];
  const unknownRecords = Array.from({ length: 40 }, (_, id) => ({ type: 'of_tomorrow', id, said: 'words' }));
  for (const [name, content, expected] of /** @type {[string, unknown, RegExp][]} */ ([
    ['foreign.json', foreign, /only \d+ of 10\d{3} bytes of text are understood/],
    ['foreign.jsonl', lines(...foreign), /only \d+ of \d+ .* are understood/],
    [
      'roles.json',
      [
        { role: 'someone', words },
        { role: 'else', words },
      ],
      /not a known session format/,
    ],
    [
      'later.jsonl',
      lines(
        { type: 'session_start', id: 's', cwd: '/p' },
        { type: 'message', message: { role: 'user', content: 'go' } },
        ...unknownRecords,
      ),
      /1 of 41 records/,
    ],
    ['other.json', { name: 'package', version: '1' }, /not a known session format/],
    ['log.jsonl', lines({ level: 'info' }, { level: 'warn' }), /not a known session format/],
    ['broken.json', '[\n  {"role": "user", "content": "hi"},\n  {"role": "user" "content": "no"}\n]\n', /breaks off/],
    ['cursor.txt', 'user:\n<user_query>\ngo\n</user_query>\n\nassistant:\nok\n', /not a known session format/],
  ])) {
    test(name, () => {
      file(name, content);
      for (const command of commands) {
        const { status, stdout, stderr } = run(command, name);
        assert.deepEqual([status, stdout], [1, ''], `${command}: ${stderr}`);
        assert.match(stderr.replace(/\s+/g, ' '), expected, command);
      }
    });
  }
});

describe('a session whose model has no known price', () => {
  const run = (/** @type {string} */ model) => ({
    info: { mini_version: '2.2.7', config: { model: { model_name: model } } },
    trajectory_format: 'mini-swe-agent-1.1',
    messages: [history[0], { ...history[1], extra: { timestamp: 1_775_795_869.5, response: { model, usage } } }],
  });

  test('sessions, simulate and report print its tokens in a note, and count them in no sum of dollars', () => {
    mkdirSync(join(directory, 'runs'));
    file('runs/a.traj.json', run('model-of-tomorrow'));
    const alone = palimpsest(['sessions', '--no-cache', 'runs']);
    assert.doesNotMatch(alone.stdout, /\$0\.00/);
    const note = /Note: no price is known for 10\.0 k tokens of model-of-tomorrow \(10\.0 k\); --prices gives one\./;
    assert.match(alone.stdout.replace(/\s+/g, ' '), note);
    file('runs/b.traj.json', run('gpt-4.1'));
    const { stdout } = palimpsest(['sessions', '--no-cache', 'runs']);
    assert.doesNotMatch(stdout, /\$0\.00/);
    assert.match(stdout.replace(/\s+/g, ' '), /2 sessions, \$0\.03 and [\d.]+ k tok in all: nothing today/);
    for (const command of ['simulate', 'report']) {
      const { stdout } = palimpsest([command, 'runs']);
      assert.match(stdout.replace(/\s+/g, ' '), note, command);
    }
    const { files } = JSON.parse(palimpsest(['sessions', '--json', 'runs']).stdout);
    assert.deepEqual(files[0].sessions[0].unpriced, [{ model: 'model-of-tomorrow', tokens: 10_000 }]);
    assert.deepEqual(files[1].sessions[0].unpriced, []);
  });

  test('--prices gives the model a price, and an invalid price file exits with 2', () => {
    const models = [{ model: 'model-of-tomorrow', input: 10, cacheRead: 1, output: 100 }];
    const prices = file('own-prices.json', { date: '2026-11-26', models });
    const { status, stdout } = palimpsest(['sessions', '--no-cache', '--prices', prices, 'runs/a.traj.json']);
    assert.equal(status, 0);
    // 9,000 tokens at 10 and 1,000 tokens at 100 dollars per million.
    assert.match(stdout, /\$0\.19/);
    assert.doesNotMatch(stdout, /no price is known/);
    for (const [text, expected] of /** @type {[string, RegExp][]} */ ([
      ['{', /EOF while parsing/],
      ['{"date": "2026-11-26", "models": []}', /it has no models/],
      [
        JSON.stringify({ date: 'x', models: [{ ...models[0], output: -1 }] }),
        /model-of-tomorrow: expected prices of 0 and more/,
      ],
      [JSON.stringify({ date: 'x', models: [models[0], models[0]] }), /expected one entry for each model/],
    ])) {
      const refused = palimpsest(['sessions', '--prices', file('wrong-prices.json', text), 'runs/a.traj.json']);
      assert.deepEqual([refused.status, refused.stdout], [2, '']);
      assert.match(refused.stderr, expected);
    }
  });

  test('R12.3 usage that is known only for the whole session is billed, without a prediction', () => {
    const settings = {
      model: 'gpt-4.1',
      tokenUsage: { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 0 },
    };
    file('droid.settings.json', settings);
    const { stdout } = palimpsest(['simulate', 'droid.jsonl']);
    assert.match(stdout, /\$2\.80 +\$2\.00 +session only/);
    const [{ sessions }] = JSON.parse(palimpsest(['sessions', '--json', '--no-cache', 'droid.jsonl']).stdout).files;
    assert.deepEqual([sessions[0].bill.isOfSession, sessions[0].usage.prompt], [true, 1_000_000]);
    assert.match(palimpsest(['sessions', '--no-cache', 'droid.jsonl']).stdout, /1 session, \$2\.80 in all/);
  });
});
