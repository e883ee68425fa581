#!/usr/bin/env node
// @ts-check
/**
 * `node bench/gateway.mjs [--pairs 300] [--streams 200] [--requests 10000]`: the gateway's added time to first byte for
 * a request of 1 MB, the number of concurrent streams it handles, and its memory. Upstream, gateway and client are
 * separate processes on loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantile } from './runner.mjs';

const program = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '300' },
    streams: { type: 'string', default: '200' },
    requests: { type: 'string', default: '10000' },
  },
});
/** Number of events in a stream, and the time between them. */
const EVENTS = 50;
const GAP_MS = 20;
const UPSTREAM = `
  const http = require('node:http');
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const usage = { input_tokens: 10, cache_read_input_tokens: 100000, cache_creation_input_tokens: 900 };
      response.write('data: ' + JSON.stringify({ type: 'message_start', message: { usage } }) + '\\n\\n');
      if (request.headers['x-slow'] === undefined) return response.end();
      let sent = 0;
      const timer = setInterval(() => {
        response.write('data: {"type":"content_block_delta","delta":{"text":"' + 'x'.repeat(200) + '"}}\\n\\n');
        if (++sent === ${EVENTS}) { clearInterval(timer); response.end(); }
      }, ${GAP_MS});
    });
  });
  server.keepAliveTimeout = 600000;
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;
const agent = new http.Agent({ keepAlive: true });

/** @param {string} text @param {any} [more] */
const result = (text, more) => ({ role: 'user', content: [{ type: 'tool_result', content: text, ...more }] });

/** A conversation of `steps` steps of about 8 kB each; 128 steps are 1 MB. @param {number} steps @param {string} name */
function bodyOf(steps, name) {
  const cache_control = { type: 'ephemeral' };
  const line = (/** @type {number} */ step) => `result ${step} "quoted"\n`.repeat(390);
  const messages = [
    { role: 'user', content: `Make the checks pass: ${name}.` },
    ...Array.from({ length: steps }, (_, step) => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `c_${step}`, name: 'Bash', input: { command: `run ${step}` } }],
      },
      result(line(step), { tool_use_id: `c_${step}`, ...(step === steps - 1 && { cache_control }) }),
    ]).flat(),
  ];
  const system = [{ type: 'text', text: 'You are an agent. '.repeat(1000), cache_control }];
  const metadata = { user_id: JSON.stringify({ session_id: name }) };
  return JSON.stringify({ model: 'claude-bench', max_tokens: 1000, system, messages, metadata, stream: true });
}

/** @param {string} base @param {string} body @param {Record<string, string>} [headers] @returns {Promise<{ firstMs: number, bytes: number }>} */
async function ask(base, body, headers = {}) {
  const startMs = performance.now();
  const asked = http.request(`${base}/v1/messages`, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  asked.end(body);
  const [response] = await once(asked, 'response');
  let [firstMs, bytes] = [Number.NaN, 0];
  for await (const chunk of response) {
    if (bytes === 0) firstMs = performance.now() - startMs;
    bytes += chunk.length;
  }
  return { firstMs, bytes };
}

const ms = (/** @type {number} */ value) => `${value.toFixed(2)} ms`;

/** Number of pairs before the gateway's code is compiled, and number of requests per conversation. */
const WARM_UP = 120;
const LENGTH = 40;

/** @param {string} direct @param {string} gateway */
async function latency(direct, gateway) {
  /** @type {{ direct: number, gateway: number, isFirst: boolean }[]} */ const pairs = [];
  for (let pair = -WARM_UP; pair < Number(values.pairs); pair++) {
    const place = (pair + WARM_UP) % LENGTH;
    const body = bodyOf(128 + place, `latency ${Math.floor(pair / LENGTH)}`);
    const [one, other] = [await ask(direct, body), await ask(gateway, body)];
    if (pair >= 0) pairs.push({ direct: one.firstMs, gateway: other.firstMs, isFirst: place === 0 });
  }
  for (const isFirst of [false, true]) {
    const own = pairs.filter((pair) => pair.isFirst === isFirst);
    const added = own.map((pair) => pair.gateway - pair.direct);
    for (const share of [0.5, 0.95]) {
      const figures = [own.map((pair) => pair.direct), own.map((pair) => pair.gateway), added];
      const [one, other, more] = figures.map((all) => ms(quantile(all, share)));
      const which = isFirst ? 'a conversation that it does not know' : '1 MB of a conversation';
      console.log(`first byte of ${which}, p${share * 100}: direct ${one}, gateway ${other}; added in pairs ${more}`);
    }
  }
}

/** @param {string} direct @param {string} gateway */
async function streams(direct, gateway) {
  const count = Number(values.streams);
  for (const [name, base] of [
    ['direct', direct],
    ['gateway', gateway],
  ]) {
    const startMs = performance.now();
    const all = Array.from({ length: count }, (_, at) =>
      ask(String(base), bodyOf(2, `stream ${at}`), { 'x-slow': '1' }),
    );
    const answers = await Promise.all(all);
    const bytes = new Set(answers.map((answer) => answer.bytes));
    const firsts = answers.map(({ firstMs }) => firstMs);
    const tookMs = performance.now() - startMs;
    console.log(
      `${count} streams at once, ${name}: ${ms(tookMs)} (${EVENTS * GAP_MS} ms of events), first byte p95 ${ms(quantile(firsts, 0.95))}, ${bytes.size === 1 ? 'all whole' : 'BROKEN'}`,
    );
  }
}

/** @param {string} gateway @param {number} pid */
async function memory(gateway, pid) {
  const requests = Number(values.requests);
  const resident = () => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  const marks = [];
  for (let request = 0; request < requests; request++) {
    // Start a new conversation every 50 requests.
    await ask(gateway, bodyOf(1 + (request % 50), `memory ${Math.floor(request / 50)}`));
    if (request % Math.ceil(requests / 10) === 0) marks.push(resident());
  }
  console.log(
    `resident MB over ${requests} requests in ${Math.ceil(requests / 50)} conversations: ${marks.join(', ')}, ${resident()}`,
  );
}

/** @param {import('node:child_process').ChildProcess} child @param {RegExp} pattern */
async function printed(child, pattern) {
  let text = '';
  for (;;) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return found;
    const [chunk] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data');
    text += chunk;
  }
}

const state = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'));
const upstream = spawn(process.execPath, ['-e', UPSTREAM], { stdio: ['ignore', 'pipe', 'inherit'] });
const direct = `http://127.0.0.1:${await printed(upstream, /^(\d+)\n/)}`;
const words = [program, 'gateway', '--upstream', direct];
const env = { ...process.env, XDG_STATE_HOME: state };
const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const gateway = await printed(child, /ANTHROPIC_BASE_URL=(\S+)\n/);
await latency(direct, gateway);
await streams(direct, gateway);
if (process.platform === 'linux' && Number(values.requests) > 0) await memory(gateway, Number(child.pid));
agent.destroy();
child.kill('SIGTERM');
await once(child, 'close');
upstream.kill();
rmSync(state, { recursive: true, force: true });
