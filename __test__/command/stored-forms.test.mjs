// @ts-check
/** Messages as SDKs store them: the command reads them, or reports them as unrecognised, but never counts them as zero. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { GoogleGenAI } from '@google/genai';
import { directory, file, palimpsest } from '../support/command.mjs';
import { storedForms } from '../support/stored-forms.mjs';

const forms = await storedForms();
for (const { name, value } of forms) file(`${name}.json`, value);
const files = forms.map(({ name }) => `${name}.json`);

describe('R12.1 the forms in which SDKs store messages', () => {
  test('simulate recognises each form by its content, with three requests, two results and no note', () => {
    const { status, stdout, stderr } = palimpsest(['simulate', '--json', ...files]);
    assert.equal(status, 0, stderr);
    const found = new Map(JSON.parse(stdout).files.map((/** @type {any} */ entry) => [entry.path, entry]));
    for (const { agent, name } of forms) {
      const { sessions, error } = /** @type {any} */ (found.get(`${name}.json`));
      assert.equal(error, null, name);
      assert.equal(sessions.length, 1, name);
      const [session] = sessions;
      assert.deepEqual([session.agent, session.requests, session.notes], [agent, 3, []], name);
      const results = session.tools.map((/** @type {any} */ entry) => [entry.tool, entry.results]);
      assert.deepEqual(
        results.sort(),
        [
          ['list_files', 1],
          ['run', 1],
        ],
        name,
      );
      const kinds = Object.fromEntries(session.kinds.map((/** @type {any} */ { kind, tokens }) => [kind, tokens.once]));
      assert.ok(kinds.user > 0 && kinds.assistant > 0, `${name}: ${JSON.stringify(kinds)}`);
    }
  });

  test('report reads messages of a dialect as message lists, and other forms as sessions', () => {
    const isList = (/** @type {string} */ name) =>
      name.startsWith('langchain') || /^openai-agents-(items|history)/.test(name);
    const lists = files.filter(isList);
    const { status, stdout, stderr } = palimpsest(['report', '--json', ...lists]);
    assert.equal(status, 0, stderr);
    for (const { file: name, toolResults, oddEntries, unrecognised } of JSON.parse(stdout).sessions) {
      assert.deepEqual([toolResults, oddEntries, unrecognised], [2, 0, 0], name);
    }
    const others = files.filter((name) => !isList(name));
    const report = palimpsest(['report', '--json', ...others]);
    assert.equal(report.status, 0, report.stderr);
    assert.equal(JSON.parse(report.stdout).files.length, others.length);
  });

  test('tokens, sessions and view read every form', () => {
    assert.equal(palimpsest(['tokens', ...files]).status, 0);
    const { status, stdout, stderr } = palimpsest(['sessions', ...files]);
    assert.equal(status, 0, stderr);
    for (const agent of ['LangChain', 'LangGraph', 'Mastra', 'OpenAI Agents SDK', 'AI SDK UI messages']) {
      assert.ok(stdout.includes(agent), `${agent} in ${stdout}`);
    }
    const view = palimpsest(['view', '--text', 'mastra-recall.json']);
    assert.equal(view.status, 0, view.stderr);
    assert.notEqual(view.stdout, '');
  });
});

describe('R12.1 request bodies and chat histories', () => {
  const history = [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'ok' } } }] },
    { role: 'model', parts: [{ text: 'done' }] },
  ];
  const chat = new GoogleGenAI({ apiKey: 'none' }).chats.create({ model: 'gemini', history });
  const items = [
    { role: 'user', content: 'go' },
    { type: 'function_call', call_id: 'a', name: 'ls', arguments: '{}' },
    { type: 'function_call_output', call_id: 'a', output: 'ok' },
  ];
  const answer = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
  const anthropic = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'ls', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    { role: 'assistant', content: 'done' },
  ];
  const system = 'You are an agent.';
  /** @type {[string, object, number][]} the number of messages */
  const bodies = [
    ['anthropic', { model: 'm', system: [{ type: 'text', text: system }], messages: anthropic }, 5],
    ['anthropic-text', { system, messages: anthropic }, 5],
    ['responses', { instructions: system, input: [...items, answer] }, 5],
    ['responses-answered', { instructions: system, input: items, output: [answer] }, 5],
    ['responses-items', [...items, answer], 4],
    ['gemini', { model: 'm', contents: history, config: { systemInstruction: system } }, 5],
    ['gemini-instruction', { contents: history, systemInstruction: { parts: [{ text: system }] } }, 5],
    ['gemini-history', chat.getHistory(), 4],
  ];
  for (const [name, body] of bodies) file(`${name}.json`, body);
  const paths = bodies.map(([name]) => `${name}.json`);

  test('report and tokens read them with their system prompt, and count the call and its result', () => {
    const report = palimpsest(['report', '--json', ...paths]);
    assert.equal(report.status, 0, report.stderr);
    const tokens = palimpsest(['tokens', '--json', ...paths]);
    assert.equal(tokens.status, 0, tokens.stderr);
    const [reported, counted] = [report, tokens].map(({ stdout }) => JSON.parse(stdout).sessions);
    for (const [at, [name, , messages]] of bodies.entries()) {
      const { oddEntries, unrecognised, toolResults } = reported[at];
      assert.deepEqual([oddEntries, unrecognised, toolResults, reported[at].messages], [0, 0, 1, messages], name);
      const { system, 'tool calls': calls, 'tool results': results } = counted[at].byKind;
      assert.deepEqual([system.messages, calls.messages, results.messages], [messages - 4, 1, 1], name);
    }
  });

  test('simulate finds one session with two requests and one result in each', () => {
    const { status, stdout, stderr } = palimpsest(['simulate', '--json', ...paths]);
    assert.equal(status, 0, stderr);
    for (const { path, sessions } of JSON.parse(stdout).files) {
      assert.deepEqual([sessions.length, sessions[0].requests, sessions[0].tools[0].results], [1, 2, 1], path);
    }
  });
});

test('R0.7 report prints that a message of an unknown form is unrecognised', () => {
  const unknown = { role: 'assistant', content: { format: 9, body: ['text'] } };
  file('unknown.json', [{ role: 'user', content: 'go' }, unknown]);
  const { stdout } = palimpsest(['report', '--json', 'unknown.json']);
  assert.deepEqual(JSON.parse(stdout).sessions[0].unrecognisedForms, { other: 1 });
  assert.match(palimpsest(['report', 'unknown.json']).stdout, /1 of 2 messages not recognised/);
});

describe('R12.1 a database of opencode that can’t be read', () => {
  const home = join(directory, 'home');
  const database = join(home, '.local', 'share', 'opencode', 'opencode.db');
  mkdirSync(join(database, '..'), { recursive: true });
  writeFileSync(database, `SQLite format 3\0${'x'.repeat(100)}`);
  const noOtherFolders = { XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' };
  const env = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'none'),
    PI_CODING_AGENT_DIR: '',
    ...noOtherFolders,
  };

  test('without a path the commands exit with 0, and a note names opencode’s export command', () => {
    for (const name of ['report', 'tokens', 'sessions', 'simulate']) {
      const { status, stderr } = palimpsest([name], { env });
      assert.equal(status, 0, `${name}: ${stderr}`);
      assert.match(stderr, /note: .*opencode\.db: .*`opencode export <session> > session\.json`/);
      assert.doesNotMatch(stderr, /error/);
    }
  });

  test('sessions lists another agent’s sessions in addition to the note, and exits with 0', () => {
    const folder = join(home, '.codex', 'sessions');
    mkdirSync(folder, { recursive: true });
    const record = (/** @type {string} */ type, /** @type {object} */ payload) =>
      `${JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type, payload })}\n`;
    const messageRecord = (/** @type {string} */ role, /** @type {string} */ type) =>
      record('response_item', { type: 'message', role, content: [{ type, text: 'go' }] });
    const text =
      record('session_meta', { id: 's', cwd: '/p' }) +
      messageRecord('user', 'input_text') +
      messageRecord('assistant', 'output_text');
    writeFileSync(join(folder, 'rollout-1.jsonl'), text);
    const { status, stdout, stderr } = palimpsest(['sessions'], { env });
    assert.deepEqual(
      [status, stdout.includes('Codex'), /note: .*opencode export/.test(stderr)],
      [0, true, true],
      stderr,
    );
  });

  test('sessions exits with 1 if the database is given as a path', () => {
    const { status, stderr } = palimpsest(['sessions', database], { env });
    assert.equal(status, 1);
    assert.match(stderr, /error: .*opencode export/);
  });
});
