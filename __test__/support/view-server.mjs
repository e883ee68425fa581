// @ts-check
/** `palimpsest view` as a user starts it: a separate process that prints its address, reads all sessions, and is stopped by a signal. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { before } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { bundleElements, isBundled } from '../../scripts/bundle-ui.mjs';
import { readPicture } from '../../ui/picture/read-picture.js';
import { cache, command, directory } from './command.mjs';

/** In the content of `turns`, and nowhere else. */
export const SECRET = 'only-the-session-has-this';
export const HOSTILE = `</script><img src=x onerror=alert(1)>\u2028\u202e${SECRET}`;

/** A session with hostile content and a lost cache. @type {import('./claude-code.mjs').Turn[]} */
export const turns = [
  { minute: 0, prompt: HOSTILE, reads: { '/p/a.ts': 'first '.repeat(2000) }, usage: [0, 0, 20_000] },
  { minute: 1, prompt: 'go on', usage: [0, 20_000, 2_500] },
  { minute: 30, prompt: 'after a pause', usage: [0, 0, 22_600] },
];

/** For each path below a session's, the fields of its response. @type {ReadonlyMap<string, string[]>} */
export const fieldsByPath = new Map([
  ['/messages', ['from', 'messages', 'total']],
  ['/conversation', ['messages', 'points']],
]);

/** @param {any} json a session's picture, checked as the page's elements check it */
export function assertPicture(json) {
  assert.equal(readPicture(json).problem, null);
}

before(async () => {
  if (!isBundled()) await bundleElements();
});

/**
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string, json: any }} ViewResponse
 * @typedef {{ method?: string, headers?: Record<string, string>, token?: string | null }} RequestOptions
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @param {readonly string[]} words
 * @returns {Promise<{ origin: string, token: string, url: string, output: () => string, ask: (path: string, options?: RequestOptions) => Promise<ViewResponse>,
 *   end: (signal?: NodeJS.Signals) => Promise<{ code: number | null, signal: string | null }> }>}
 */
export async function startView(words) {
  const child = spawn(process.execPath, [command, 'view', ...words], {
    cwd: directory,
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  /** @type {Promise<{ code: number | null, signal: string | null }>} */
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      stdout += data;
      if (stdout.endsWith('\n')) resolve(undefined);
    });
    ended.then(() => reject(new Error(`the command exited: ${stderr}`)));
  });
  // A test that fails before it stops the server must not keep the test process alive.
  const pipes = /** @type {import('node:net').Socket[]} */ ([child.stdout, child.stderr]);
  for (const held of [child, ...pipes]) held.unref();
  const url = stdout.trim();
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  // The server responds before it has read everything, which takes time on a busy machine.
  while ((await ask(origin, '/api/sessions', { token })).json.reading !== null) await setTimeout(20);
  return {
    origin,
    token,
    url,
    output: () => stdout + stderr,
    ask: (path, options) => ask(origin, path, { token, ...options }),
    async end(signal = 'SIGINT') {
      child.ref();
      child.kill(signal);
      const end = await ended;
      running.delete(child);
      return end;
    },
  };
}

/**
 * Sends the path unchanged; `fetch` would normalise `..`.
 * @param {string} origin @param {string} path @param {RequestOptions} asking @returns {Promise<ViewResponse>}
 */
function ask(origin, path, { method = 'GET', headers = {}, token }) {
  const { hostname, port } = new URL(origin);
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, method, agent: false, headers: { ...authorization, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (data) => {
          text += data;
        });
        response.on('end', () => {
          const isJson = response.headers['content-type']?.startsWith('application/json') === true && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : null,
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
