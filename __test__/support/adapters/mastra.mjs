// @ts-check
/** A language model for Mastra's agents that answers by a script, records its input, and rejects what providers reject. */
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { problemsIn } from '../providers/ai-sdk.mjs';

// Tests don't use the network.
process.env.MASTRA_TELEMETRY_DISABLED = '1';

/**
 * @typedef {{ text?: string, calls?: { id: string, name: string, input: object }[], usage?: { input: number, cached?: number } }} Answer
 * @typedef {(prompt: any[], nth: number) => Answer | Error} Script
 * @typedef {'v2' | 'v3' | 'v4'} Version version of the AI SDK's model interface, for its major versions 5, 6 and 7
 */

/** @param {Script} script @param {Version} [version] */
export function scriptedModel(script, version = 'v2') {
  /** @type {any[][]} */
  const requests = [];
  const answerTo = (/** @type {any} */ { prompt }) => {
    const problems = problemsIn(prompt);
    if (problems.length > 0) throw new Error(`refused: ${problems.join('; ')}`);
    requests.push(structuredClone(prompt));
    const answer = script(prompt, requests.length - 1);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  /** @type {any} */
  const model = {
    specificationVersion: version,
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    async doGenerate(/** @type {any} */ options) {
      const answer = answerTo(options);
      return { content: partsOf(answer), ...endOf(answer, version), warnings: [] };
    },
    async doStream(/** @type {any} */ options) {
      const answer = answerTo(options);
      return { stream: ReadableStream.from(streamed(answer, version, options.abortSignal)) };
    },
  };
  return { model, requests };
}

/** @param {Answer} answer */
function partsOf({ text = '', calls = [] }) {
  const words = text === '' ? [] : [{ type: 'text', text }];
  const parts = calls.map(({ id, name, input }) => {
    return { type: 'tool-call', toolCallId: id, toolName: name, input: JSON.stringify(input) };
  });
  return [...words, ...parts];
}

/** @param {Answer} answer @param {Version} version */
function endOf({ calls = [], usage: { input, cached } = { input: 100 } }, version) {
  const why = calls.length > 0 ? 'tool-calls' : 'stop';
  if (version === 'v2') {
    const usage = { inputTokens: input, outputTokens: 5, totalTokens: input + 5, cachedInputTokens: cached };
    return { finishReason: why, usage };
  }
  const inputTokens = { total: input, noCache: input - (cached ?? 0), cacheRead: cached, cacheWrite: undefined };
  return {
    finishReason: { unified: why, raw: why },
    usage: { inputTokens, outputTokens: { total: 5, text: 5, reasoning: 0 } },
  };
}

/** Streams word by word, so that it can be stopped in between. @param {Answer} answer @param {Version} version @param {AbortSignal} [signal] */
async function* streamed(answer, version, signal) {
  yield { type: 'stream-start', warnings: [] };
  for (const [nth, part] of /** @type {any[]} */ (partsOf(answer)).entries()) {
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    if (part.type !== 'text') {
      yield part;
      continue;
    }
    yield { type: 'text-start', id: `${nth}` };
    yield { type: 'text-delta', id: `${nth}`, delta: part.text };
    yield { type: 'text-end', id: `${nth}` };
  }
  yield { type: 'finish', ...endOf(answer, version) };
}

/**
 * A script that reads the same file in the first `reads` requests, then replies `done`.
 * @param {number} reads
 * @param {Answer['usage']} [usage]
 * @returns {Script}
 */
export function readingScript(reads, usage = { input: 100 }) {
  return (_prompt, nth) => {
    const call = { id: `call_${nth}`, name: 'read_file', input: { path: 'a.js' } };
    return nth < reads ? { calls: [call], usage } : { text: 'done', usage };
  };
}

/** @param {(path: string) => unknown} [read] */
export function readTool(read = (path) => `// ${path}\n${'const line = 1;\n'.repeat(200)}`) {
  return createTool({
    id: 'read_file',
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => read(path),
  });
}

/** A prompt in which a file was read `reads` times. @param {number} reads @param {string} [name] */
export function promptOf(reads, name = 'Begin.') {
  /** @type {any[]} */
  const prompt = [
    { role: 'system', content: 'You read files.' },
    { role: 'user', content: [{ type: 'text', text: name }] },
  ];
  for (let nth = 0; nth < reads; nth++) {
    const named = { toolCallId: `call_${nth}`, toolName: 'read_file' };
    const output = { type: 'text', value: `${name} ${nth} `.repeat(500) };
    prompt.push({ role: 'assistant', content: [{ type: 'tool-call', ...named, input: { path: 'a.js' } }] });
    prompt.push({ role: 'tool', content: [{ type: 'tool-result', ...named, output, input: { path: 'a.js' } }] });
  }
  return prompt;
}

/** The prompt's results whose output is a placeholder. @param {readonly any[]} prompt */
export const placeholdersIn = (prompt) =>
  prompt
    .flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .filter(({ output }) => typeof output?.value === 'string' && output.value.startsWith('['));

/** The bytes that a provider's cache compares. @param {readonly any[]} prompt */
export const bytesOf = (prompt) => prompt.map((message) => JSON.stringify(message, withoutTimes));

/** @param {string} key @param {unknown} value Mastra's own fields are not sent */
const withoutTimes = (key, value) => (key === 'providerOptions' ? undefined : value);

/** Usage from a cache that contains nearly all of each request. */
export const WARM = { input: 20_000, cached: 19_000 };
export const LONG = { maxSteps: 200 };
export const instructions = 'You read files.';

/** @param {any} model @param {import('palimpsest/mastra').ContextProcessor | null} processor @param {object} [more] */
export function agentWith(model, processor, more) {
  const processors = processor === null ? [] : [processor];
  return new Agent({
    ...{ id: 'reader', name: 'reader', instructions, model, tools: { read_file: readTool() } },
    inputProcessors: processors,
    ...more,
  });
}

/**
 * One step without an agent.
 * @param {import('palimpsest/mastra').ContextProcessor} processor
 * @param {any[]} prompt
 * @param {{ state?: object, steps?: any[] }} [run]
 * @returns {Promise<any[]>} the messages sent to the model
 */
export async function sentBy(processor, prompt, { state = {}, steps = [] } = {}) {
  return (await processor.processLLMRequest({ prompt, steps, state })).prompt;
}
