// @ts-check
/** `palimpsest run` and `palimpsest gateway`, run as processes. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { environmentFor, withSettings } from '../../bin/commands/run.mjs';
import { readUpstreams, targetOf } from '../../bin/gateway/upstreams.mjs';
import { startProvider } from '../../examples/provider/provider.mjs';
import { command } from '../support/command.mjs';
import { KEY, KINDS, send, startUpstream, temporaryFolder } from '../support/gateway.mjs';

/**
 * @param {readonly string[]} words
 * @param {Record<string, string>} [env]
 * @param {import('node:child_process').SpawnOptions} [options]
 */
function start(words, env = {}, options = {}) {
  const { PATH = '', SystemRoot = '' } = process.env;
  const child = spawn(process.execPath, [command, ...words], {
    env: { PATH, SystemRoot, ...env },
    stdio: 'pipe',
    ...options,
  });
  const output = { out: '', error: '' };
  child.stdout?.on('data', (chunk) => (output.out += chunk));
  child.stderr?.on('data', (chunk) => (output.error += chunk));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...output }));
  return { child, output, ended };
}

/** A Node.js program that replaces the agent. @param {string} source */
const program = (source) => ['--', process.execPath, '-e', source];

/** Sends three requests to the base URL in the environment, and prints their status codes. */
const CLIENT = `
  const body = JSON.stringify(${JSON.stringify(KINDS.anthropic.body(2))});
  (async () => {
    for (let i = 0; i < 3; i++) {
      const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body, headers: { 'x-api-key': '${KEY}' } });
      console.log(response.status);
    }
  })();
`;

describe('palimpsest run', () => {
  test('run passes base URLs to its command, and prints the cost in two lines without the key', async (t) => {
    const provider = await startProvider({ script: () => ({ text: 'Done.' }) });
    t.after(() => provider.close());
    const folder = temporaryFolder(t);
    const env = { XDG_STATE_HOME: folder };
    const { code, out, error } = await start(['run', '--upstream', provider.url, ...program(CLIENT)], env).ended;
    assert.equal(code, 0, error);
    assert.equal(out, '200\n200\n200\n');
    const cost = provider.bill().cost;
    assert.match(error, /^palimpsest: 3 requests, .*; prompts cost [\d.]+ k tokens at the price of input\n/);
    assert.match(
      error,
      /\npalimpsest: with nothing left out they would have cost [\d.]+ k \(this was 0\.0 % less\)\n$/,
    );
    assert.ok(error.includes(`${(cost / 1000).toFixed(1)} k`), `${error} ${cost}`);
    assert.equal(error.trimEnd().split('\n').length, 2);
    const files = readdirSync(join(folder, 'palimpsest'));
    const savedFacts = files.map((name) => readFileSync(join(folder, 'palimpsest', name), 'utf8')).join('');
    assert.ok(savedFacts !== '' && !`${savedFacts}${error}`.includes(KEY));
  });

  test('run --dry-run sends requests unchanged, and prints what they would have cost', async (t) => {
    const provider = await startProvider({ script: () => ({ text: 'Done.' }) });
    t.after(() => provider.close());
    const words = ['run', '--dry-run', '--upstream', provider.url, ...program(CLIENT)];
    const { error } = await start(words, { XDG_STATE_HOME: temporaryFolder(t) }).ended;
    assert.match(error, /3 requests, all sent on untouched; .*\n.*would have cost [\d.]+ k \(0\.0 % less\)\n$/);
  });

  test('run exits with its command’s code, prints that no request came, and exits with 127 if the command is missing', async (t) => {
    const env = { XDG_STATE_HOME: temporaryFolder(t) };
    const { code, out, error } = await start(['run', ...program('console.log(7); process.exit(7)')], env).ended;
    assert.deepEqual([code, out], [7, '7\n']);
    assert.equal(error, 'palimpsest: no request for an answer came through the gateway\n');
    const missing = await start(['run', '--', 'no-such-agent'], env).ended;
    assert.equal(missing.code, 127);
    assert.match(missing.error, /no-such-agent can’t be started \(ENOENT\)/);
  });

  test('run forwards SIGTERM, ignores SIGINT, and exits with 128 plus the signal that ended its command', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const env = { XDG_STATE_HOME: temporaryFolder(t) };
    const untilSigterm = `process.on('SIGTERM', () => process.exit(9)); process.on('SIGINT', () => {}); setInterval(() => {}, 1e6); console.log('up')`;
    const terminated = start(['run', ...program(untilSigterm)], env);
    await once(/** @type {any} */ (terminated.child.stdout), 'data');
    terminated.child.kill('SIGINT');
    terminated.child.kill('SIGTERM');
    assert.equal((await terminated.ended).code, 9);
    const killed = start(['run', ...program(`console.log(process.pid); setInterval(() => {}, 1e6)`)], env);
    const [pid] = await once(/** @type {any} */ (killed.child.stdout), 'data');
    process.kill(Number(pid), 'SIGKILL');
    assert.equal((await killed.ended).code, 137);
  });

  test('run and gateway exit with 2 for a wrong command line or PALIMPSEST, with one line on stderr', async () => {
    const refused = [
      [['run'], /expected -- and the command behind it/],
      [['run', 'claude'], /expected -- and the command behind it/],
      [['run', '--dry', '--', 'claude'], /unknown option “--dry”; did you mean “--dry-run”|unknown option “--dry”/],
      [['run', '--upstream', 'ftp://x', '--', 'true'], /--upstream: expected an address/],
      [['gateway', 'x'], /expected options only/],
      [['gateway', '--port', 'x'], /--port: expected a whole number/],
    ];
    for (const [words, expected] of /** @type {[string[], RegExp][]} */ (refused)) {
      const { code, error } = await start(words).ended;
      assert.equal(code, 2, words.join(' '));
      assert.match(error, expected);
      assert.equal(error.trimEnd().split('\n').length, 1);
    }
    const env = { PALIMPSEST: 'perhaps' };
    assert.match((await start(['run', '--', 'true'], env).ended).error, /PALIMPSEST: expected “on” or “off”/);
  });
});

describe('palimpsest gateway', () => {
  test('gateway prints base URLs that work, and exits with 0 on SIGINT', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const upstream = await startUpstream(t);
    const gateway = start(['gateway', '--upstream', upstream.url], { XDG_STATE_HOME: temporaryFolder(t) });
    while (!gateway.output.error.includes('Ctrl-C')) await once(/** @type {any} */ (gateway.child.stderr), 'data');
    const urls = Object.fromEntries(
      gateway.output.out
        .trim()
        .split('\n')
        .map((line) => line.split('=')),
    );
    assert.deepEqual(Object.keys(urls), ['ANTHROPIC_BASE_URL', 'OPENAI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL']);
    const text = JSON.stringify(KINDS.chat.body(1));
    await send(`${urls.OPENAI_BASE_URL}/chat/completions`, { body: text });
    assert.equal(upstream.received[0]?.url, '/v1/chat/completions');
    gateway.child.kill('SIGINT');
    const { code, error } = await gateway.ended;
    assert.equal(code, 0);
    assert.match(error, /palimpsest: 1 request, /);
  });
});

describe('arguments, environment and upstream of palimpsest run', () => {
  const urls = { OPENAI_BASE_URL: 'http://127.0.0.1:1/t/openai/v1' };

  test('withSettings adds openai_base_url for codex, and changes no other command', () => {
    const codex = ['/usr/bin/codex', '-c', 'openai_base_url="http://127.0.0.1:1/t/openai/v1"', 'exec', 'hello'];
    assert.deepEqual(withSettings(['/usr/bin/codex', 'exec', 'hello'], urls), codex);
    assert.deepEqual(withSettings(['claude', '-p', 'codex'], urls), ['claude', '-p', 'codex']);
  });

  test('environmentFor adds the gateway to NO_PROXY', () => {
    const { NO_PROXY, no_proxy } = environmentFor({ NO_PROXY: 'a.example' }, urls, false);
    assert.deepEqual([NO_PROXY, no_proxy], ['a.example,127.0.0.1', '127.0.0.1']);
    assert.equal(environmentFor({ NO_PROXY: 'x,127.0.0.1' }, urls, false).NO_PROXY, 'x,127.0.0.1');
  });

  test('environmentFor sets ENABLE_TOOL_SEARCH if the upstream is Anthropic and the user hasn’t set it', () => {
    assert.equal(environmentFor({}, urls, true).ENABLE_TOOL_SEARCH, 'true');
    assert.equal(environmentFor({ ENABLE_TOOL_SEARCH: 'false' }, urls, true).ENABLE_TOOL_SEARCH, 'false');
    assert.equal(environmentFor({}, urls, false).ENABLE_TOOL_SEARCH, undefined);
  });

  test('targetOf uses --upstream, else the environment’s base URL, else the provider’s address', () => {
    const target = (/** @type {any} */ upstreams, /** @type {any} */ headers = {}) => {
      const found = targetOf(upstreams, '/openai/v1/responses?a=1', headers);
      return found && `${found.base.origin}${found.path}`;
    };
    const byDefault = readUpstreams(undefined, {});
    assert.equal(target(byDefault), 'https://api.openai.com/v1/responses?a=1');
    const chatgpt = { 'chatgpt-account-id': '1' };
    assert.equal(target(byDefault, chatgpt), 'https://chatgpt.com/backend-api/codex/responses?a=1');
    const environment = readUpstreams(undefined, { OPENAI_BASE_URL: 'https://proxy.example/x/' });
    assert.equal(target(environment, chatgpt), 'https://proxy.example/x/responses?a=1');
    assert.equal(target(readUpstreams('http://mock.example/y/', {})), 'http://mock.example/y/v1/responses?a=1');
    assert.equal(targetOf(byDefault, '/openai/v1x/responses', {}), undefined);
  });
});
