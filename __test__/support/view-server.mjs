// @ts-check
/** `palimpsest view` as a user starts it: a separate process that prints its address, reads all sessions, and is stopped by a signal. */
import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { cache, command, directory } from './command.mjs';

/**
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string, json: any }} Answer
 * @typedef {{ method?: string, headers?: Record<string, string>, token?: string | null }} Asking
 */

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * @param {readonly string[]} words
 * @returns {Promise<{ origin: string, token: string, url: string, said: () => string, ask: (path: string, asking?: Asking) => Promise<Answer>,
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
    ended.then(() => reject(new Error(`it ended: ${stderr}`)));
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
    said: () => stdout + stderr,
    ask: (path, asking) => ask(origin, path, { token, ...asking }),
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
 * @param {string} origin @param {string} path @param {Asking} asking @returns {Promise<Answer>}
 */
function ask(origin, path, { method = 'GET', headers = {}, token }) {
  const { hostname, port } = new URL(origin);
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asked = request(
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
    asked.on('error', reject);
    asked.end();
  });
}
