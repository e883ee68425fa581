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
/** Number of events in a stream. */
const EVENTS = 50;
/** Time between events. */
const GAP_MS = 20;
/** The program of the upstream server. */
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

/**
 * Sends a request.
 * @param {string} base @param {string} body @param {Record<string, string>} [headers]
 * @returns {Promise<{ firstMs: number, bytes: number }>}
 */
async function ask(base, body, headers = {}) {
  const startMs = performance.now();
  const request = http.request(`${base}/v1/messages`, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  });
  request.end(body);
  const [response] = await once(request, 'response');
  let [firstMs, bytes] = [Number.NaN, 0];
  for await (const chunk of response) {
    if (bytes === 0) firstMs = performance.now() - startMs;
    bytes += chunk.length;
  }
  return { firstMs, bytes };
}

const ms = (/** @type {number} */ value) => `${value.toFixed(2)} ms`;

/** Number of pairs that don't count: the gateway's code isn't compiled yet. */
const WARM_UP = 120;
/** Requests of a conversation. */
const CONVERSATION_REQUESTS = 40;

/** Prints the time to the first byte. @param {string} direct @param {string} gateway */
async function latency(direct, gateway) {
  /** @type {{ direct: number, gateway: number, isFirst: boolean }[]} */ const pairs = [];
  for (let pair = -WARM_UP; pair < Number(values.pairs); pair++) {
    const request = (pair + WARM_UP) % CONVERSATION_REQUESTS;
    const body = bodyOf(128 + request, `latency ${Math.floor(pair / CONVERSATION_REQUESTS)}`);
    const [directAnswer, gatewayAnswer] = [await ask(direct, body), await ask(gateway, body)];
    if (pair < 0) continue;
    pairs.push({ direct: directAnswer.firstMs, gateway: gatewayAnswer.firstMs, isFirst: request === 0 });
  }
  for (const isFirst of [false, true]) {
    const chosen = pairs.filter((pair) => pair.isFirst === isFirst);
    const added = chosen.map((pair) => pair.gateway - pair.direct);
    for (const share of [0.5, 0.95]) {
      const samples = [chosen.map((pair) => pair.direct), chosen.map((pair) => pair.gateway), added];
      const [directMs, gatewayMs, addedMs] = samples.map((times) => ms(quantile(times, share)));
      const which = isFirst ? 'a conversation that it does not know' : '1 MB of a conversation';
      console.log(
        `first byte of ${which}, p${share * 100}: direct ${directMs}, gateway ${gatewayMs}; added in pairs ${addedMs}`,
      );
    }
  }
}

/** Prints the time of concurrent streams. @param {string} direct @param {string} gateway */
async function streams(direct, gateway) {
  const count = Number(values.streams);
  for (const [name, base] of [
    ['direct', direct],
    ['gateway', gateway],
  ]) {
    const startMs = performance.now();
    const all = Array.from({ length: count }, (_, index) =>
      ask(String(base), bodyOf(2, `stream ${index}`), { 'x-slow': '1' }),
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

/** Prints the gateway's memory while conversations come and go. @param {string} gateway @param {number} pid */
async function memory(gateway, pid) {
  const requests = Number(values.requests);
  const resident = () => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  };
  const samples = [];
  for (let request = 0; request < requests; request++) {
    // Start a new conversation every 50 requests.
    await ask(gateway, bodyOf(1 + (request % 50), `memory ${Math.floor(request / 50)}`));
    if (request % Math.ceil(requests / 10) === 0) samples.push(resident());
  }
  console.log(
    `resident MB over ${requests} requests in ${Math.ceil(requests / 50)} conversations: ${samples.join(', ')}, ${resident()}`,
  );
}

/**
 * Waits until a process prints something.
 * @param {import('node:child_process').ChildProcess} child @param {RegExp} pattern
 * @returns {Promise<string>} its first group
 */
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
const args = [program, 'gateway', '--upstream', direct];
const env = { ...process.env, XDG_STATE_HOME: state };
const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
const gateway = await printed(child, /ANTHROPIC_BASE_URL=(\S+)\n/);
await latency(direct, gateway);
await streams(direct, gateway);
if (process.platform === 'linux' && Number(values.requests) > 0) await memory(gateway, Number(child.pid));
agent.destroy();
child.kill('SIGTERM');
await once(child, 'close');
upstream.kill();
rmSync(state, { recursive: true, force: true });
