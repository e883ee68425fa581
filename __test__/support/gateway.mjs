// @ts-check
/** A gateway between a test and an upstream on loopback, and conversations in each dialect that the gateway supports. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { FactFiles } from '../../bin/gateway/fact-files.mjs';
import { Rewriter } from '../../bin/gateway/rewriter.mjs';
import { Gateway } from '../../bin/gateway/server.mjs';
import { readUpstreams } from '../../bin/gateway/upstreams.mjs';
import { loadInternals } from '../../bin/library.mjs';

export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 0, 5, 9);

/** @typedef {{ method: string, url: string, rawHeaders: string[], headers: http.IncomingHttpHeaders, body: Buffer }} Received */
/** @typedef {{ status: number, message: string, rawHeaders: string[], headers: http.IncomingHttpHeaders, body: Buffer }} Answer */
/** @typedef {{ after(end: () => unknown): void }} Test */

/**
 * A server that records the bytes of each request.
 * @param {Test} t
 * @param {(request: http.IncomingMessage, response: http.ServerResponse, received: Received) => void} [answer]
 */
export async function startUpstream(t, answer = (_, response) => response.end('{}')) {
  /** @type {Received[]} */ const received = [];
  const server = http.createServer(async (request, response) => {
    try {
      const { method = '', url = '', rawHeaders, headers } = request;
      const recorded = { method, url, rawHeaders, headers, body: await buffer(request) };
      received.push(recorded);
      answer(request, response, recorded);
    } catch {
      // The client disconnected.
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${port}`, port, received, server };
}

/** A folder that is removed after the test. @param {Test} t */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-gateway-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * @param {Test} t
 * @param {{ upstream: string, isDry?: boolean, folder?: string | null, clock?: () => number, maxBytes?: number, environment?: Record<string, string> }} options
 */
export async function startGateway(t, { upstream, isDry = false, folder = null, clock, maxBytes, environment = {} }) {
  const sentFacts = new FactFiles(folder, clock);
  const viewFacts = isDry ? new FactFiles(null, clock) : sentFacts;
  const settings = loadInternals().gateway.readSettings('the test', {}, environment);
  const rewriter = new Rewriter({ settings, sentFacts, viewFacts, isDry, clock });
  const gateway = new Gateway({ rewriter, upstreams: readUpstreams(upstream, {}), maxBytes });
  await gateway.listen(0);
  t.after(() => gateway.close());
  const { ANTHROPIC_BASE_URL, OPENAI_BASE_URL, GOOGLE_GEMINI_BASE_URL } = gateway.baseUrls;
  const urls = {
    anthropic: `${ANTHROPIC_BASE_URL}`,
    openai: `${OPENAI_BASE_URL}`,
    gemini: `${GOOGLE_GEMINI_BASE_URL}`,
  };
  return { gateway, rewriter, urls, close: () => gateway.close() };
}

/**
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string | string[]>, body?: string | Uint8Array }} [request]
 * @returns {Promise<Answer>}
 */
export async function send(url, { method = 'POST', headers = {}, body } = {}) {
  const request = http.request(url, { method, headers, agent: false });
  request.end(body);
  const [answer] = /** @type {[http.IncomingMessage]} */ (await once(request, 'response'));
  const { statusCode: status = 0, statusMessage: message = '', rawHeaders } = answer;
  return { status, message, rawHeaders, headers: answer.headers, body: await buffer(answer) };
}

/** The API key in the requests' headers. */
export const KEY = 'sk-test-0123456789-secret';
export const HEADERS = { 'content-type': 'application/json', 'x-api-key': KEY, authorization: `Bearer ${KEY}` };

/** Output of a command; it differs for each step. @param {number} step */
const output = (step) =>
  Array.from(
    { length: 180 },
    (_, line) => `step ${step}, line ${line}: value ${(step * 7919 + line * 104729) % 100003}`,
  ).join('\n');
const commandOf = (/** @type {number} */ step) => ({ command: `run check ${step}` });

/**
 * A conversation in each dialect: one prompt, then `steps` tool calls with their results.
 * @typedef {{ provider: 'anthropic' | 'openai' | 'gemini', path: string, body: (steps: number) => any, list: string }} Kind
 * @type {Record<string, Kind>}
 */
export const KINDS = {
  anthropic: {
    provider: 'anthropic',
    path: '/v1/messages?beta=true',
    list: 'messages',
    body: (steps) => {
      const cache_control = { type: 'ephemeral' };
      const messages = [
        { role: 'user', content: [{ type: 'text', text: 'Make the checks pass.' }] },
        ...Array.from({ length: steps }, (_, step) => [
          { role: 'assistant', content: [{ type: 'tool_use', id: `c_${step}`, name: 'Bash', input: commandOf(step) }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c_${step}`, content: output(step) }] },
        ]).flat(),
      ];
      const last = /** @type {any} */ (messages.at(-1)).content[0];
      Object.assign(last, { cache_control });
      const system = [
        { type: 'text', text: 'You are an agent. '.repeat(400), cache_control },
        { type: 'text', text: 'Work in this folder.', cache_control },
      ];
      return { model: 'claude-test', max_tokens: 1024, system, tools: [{ name: 'Bash', input_schema: {} }], messages };
    },
  },
  responses: {
    provider: 'openai',
    path: '/responses',
    list: 'input',
    body: (steps) => ({
      model: 'gpt-5',
      store: false,
      instructions: 'You are an agent. '.repeat(400),
      tools: [{ type: 'function', name: 'exec_command', parameters: {} }],
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Make the checks pass.' }] },
        ...Array.from({ length: steps }, (_, step) => [
          {
            type: 'function_call',
            call_id: `c_${step}`,
            name: 'exec_command',
            arguments: JSON.stringify({ cmd: `run check ${step}` }),
          },
          { type: 'function_call_output', call_id: `c_${step}`, output: output(step) },
        ]).flat(),
      ],
    }),
  },
  chat: {
    provider: 'openai',
    path: '/chat/completions',
    list: 'messages',
    body: (steps) => ({
      model: 'gpt-5',
      tools: [{ type: 'function', function: { name: 'bash', parameters: {} } }],
      messages: [
        { role: 'system', content: 'You are an agent. '.repeat(400) },
        { role: 'user', content: 'Make the checks pass.' },
        ...Array.from({ length: steps }, (_, step) => [
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              {
                id: `c_${step}`,
                type: 'function',
                function: { name: 'bash', arguments: JSON.stringify(commandOf(step)) },
              },
            ],
          },
          { role: 'tool', tool_call_id: `c_${step}`, content: output(step) },
        ]).flat(),
      ],
    }),
  },
  gemini: {
    provider: 'gemini',
    path: '/v1beta/models/gemini-3-pro:generateContent',
    list: 'contents',
    body: (steps) => ({
      systemInstruction: { parts: [{ text: 'You are an agent. '.repeat(400) }] },
      tools: [{ functionDeclarations: [{ name: 'run_shell_command' }] }],
      contents: [
        { role: 'user', parts: [{ text: 'Make the checks pass.' }] },
        ...Array.from({ length: steps }, (_, step) => [
          { role: 'model', parts: [{ functionCall: { name: 'run_shell_command', args: commandOf(step) } }] },
          {
            role: 'user',
            parts: [{ functionResponse: { name: 'run_shell_command', response: { output: output(step) } } }],
          },
        ]).flat(),
      ],
    }),
  },
};
