// @ts-check
/**
 * Usage of recorded requests, parsed from each agent's raw files in the simplest way, to check the package's sums with
 * independent code.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ model: string, input: number, read: number, write: number, hourWrite: number, output: number, usd?: number, outputUsd?: number }} Usage
 *   `input`: tokens neither read from nor written to the cache; `write`: cache writes for 5 minutes or the provider's
 *   only lifetime
 */

/** pi once wrote two records on one line. @param {string} path @returns {any[]} */
const linesOf = (path) =>
  readFileSync(path, 'utf8')
    .replaceAll('}{"type"', '}\n{"type"')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]));

/** @param {string} path @returns {any} */
const documentOf = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** @param {string} model @param {number} input @param {number} read @param {number} write @param {number} output @returns {Usage} */
const usageOf = (model, input, read, write, output) => ({ model, input, read, write, hourWrite: 0, output });

/**
 * Lines with the same `message.id` are one assistant message, and the last line has its full usage; an interrupted
 * message has none.
 * @param {string} path @returns {Usage[]}
 */
function claudeCode(path) {
  const answers = new Map();
  for (const line of linesOf(path)) {
    const record = line.type === 'progress' ? line.data?.message : line;
    const { id, model, usage } = record?.message ?? {};
    if (record?.type === 'assistant' && usage && model !== '<synthetic>') answers.set(id, { model, usage });
  }
  return [...answers.values()]
    .map(({ model, usage }) => {
      const { ephemeral_5m_input_tokens: five, ephemeral_1h_input_tokens: hour = 0 } = usage.cache_creation ?? {};
      const write = five ?? usage.cache_creation_input_tokens ?? 0;
      const read = usage.cache_read_input_tokens ?? 0;
      return { ...usageOf(model, usage.input_tokens ?? 0, read, write, usage.output_tokens ?? 0), hourWrite: hour };
    })
    .filter(({ input, read, write, hourWrite, output }) => input + read + write + hourWrite + output > 0);
}

/** The same count is repeated when limits change. @param {string} path @returns {Usage[]} */
function codex(path) {
  let [model, known] = ['', -1];
  return linesOf(path).flatMap(({ type, payload }) => {
    if (type === 'turn_context') model = payload.model ?? model;
    if (payload?.type !== 'token_count' || !payload.info) return [];
    const { total_token_usage: all, last_token_usage: last } = payload.info;
    if (all.total_tokens === known) return [];
    known = all.total_tokens;
    return usageOf(
      model,
      last.input_tokens - last.cached_input_tokens,
      last.cached_input_tokens,
      0,
      last.output_tokens,
    );
  });
}

/** Includes the costs that pi itself recorded. @param {string} path @returns {Usage[]} */
function pi(path) {
  return linesOf(path).flatMap(({ message }) => {
    const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0, cost } = message?.usage ?? {};
    if (message?.role !== 'assistant' || input + output + cacheRead + cacheWrite === 0) return [];
    const costs = cost?.total > 0 ? { usd: cost.total, outputUsd: cost.output } : {};
    return { ...usageOf(message.model, input, cacheRead, cacheWrite, output), ...costs };
  });
}

/** @param {string} path @returns {Usage[]} */
function cline(path) {
  const { messages } = documentOf(path);
  return messages.flatMap((/** @type {any} */ { metrics, modelInfo }) => {
    if (!metrics) return [];
    const { inputTokens, outputTokens, cacheReadTokens: read, cacheWriteTokens: write, cost } = metrics;
    return { ...usageOf(modelInfo?.id ?? '', inputTokens - read - write, read, write, outputTokens), usd: cost };
  });
}

/** A record with the `id` of an earlier one replaces it. @param {string} path @returns {Usage[]} */
function geminiCli(path) {
  const records = path.endsWith('.jsonl') ? linesOf(path) : (documentOf(path).messages ?? []);
  const byId = new Map(records.map((/** @type {any} */ record) => [record.id, record]));
  return [...byId.values()].flatMap(({ type, model, tokens }) => {
    if (type !== 'gemini' || !(tokens?.total > 0)) return [];
    const { input, cached, output, thoughts, tool } = tokens;
    return usageOf(model, input + tool - cached, cached, 0, output + thoughts);
  });
}

/** @param {string} path @returns {Usage[]} */
function kimiCli(path) {
  return linesOf(path).flatMap(({ type, model, usage }) =>
    type === 'usage.record'
      ? usageOf(model, usage.inputOther, usage.inputCacheRead, usage.inputCacheCreation, usage.output)
      : [],
  );
}

/** @param {string} path @returns {Usage[]} */
function qwenCode(path) {
  return linesOf(path).flatMap(({ type, model, usageMetadata: usage }) => {
    if (type !== 'assistant' || !usage) return [];
    const { promptTokenCount: prompt, cachedContentTokenCount: read = 0, thoughtsTokenCount: thoughts = 0 } = usage;
    return usageOf(model, prompt - read, read, 0, usage.candidatesTokenCount + thoughts);
  });
}

/** A part with the id of an earlier one replaces it. @param {string} path @returns {Usage[]} */
function opencode(path) {
  const [models, steps] = [new Map(), new Map()];
  for (const { event } of linesOf(path)) {
    const { info, part } = event?.properties ?? {};
    if (event?.type === 'message.updated') models.set(info.id, info.modelID ?? models.get(info.id));
    if (event?.type === 'message.part.updated' && part.type === 'step-finish') steps.set(part.id, part);
  }
  return [...steps.values()].map(({ messageID, tokens: { total, input, output, reasoning, cache } }) => {
    const isReasoningIncluded = total === input + cache.read + cache.write + output;
    const allOutput = isReasoningIncluded ? output : output + reasoning;
    return usageOf(models.get(messageID) ?? '', input, cache.read, cache.write, allOutput);
  });
}

/**
 * LiteLLM includes cache reads in the prompt's tokens; older versions also included cache writes.
 * @param {string} model @param {any} usage @returns {Usage}
 */
function liteLlm(model, usage) {
  const read = usage.prompt_tokens_details?.cached_tokens ?? usage.cache_read_tokens ?? 0;
  const write = usage.cache_creation_input_tokens ?? usage.cache_write_tokens ?? 0;
  const counted = usage.prompt_tokens >= read + write ? write : 0;
  return usageOf(
    model,
    usage.prompt_tokens < read ? usage.prompt_tokens : usage.prompt_tokens - read - counted,
    read,
    write,
    usage.completion_tokens,
  );
}

/** Parallel calls contain the same assistant message. @param {readonly any[]} events @returns {Usage[]} */
function openHandsEvents(events) {
  const answers = new Map(events.map((event) => event.tool_call_metadata?.model_response).map((one) => [one?.id, one]));
  return [...answers.values()].flatMap((answer) => (answer?.usage ? liteLlm(answer.model, answer.usage) : []));
}

/** @param {string} path @returns {Usage[]} */
function openHands(path) {
  if (statSync(path).isDirectory())
    return openHandsEvents(readdirSync(path).map((name) => documentOf(join(path, name))));
  if (!path.endsWith('.jsonl')) return openHandsEvents(documentOf(path));
  return linesOf(path).flatMap(({ metrics }) =>
    metrics.token_usages.map((/** @type {any} */ usage) => liteLlm(usage.model, usage)),
  );
}

/** @param {string} path @returns {Usage[]} */
function chatLog(path) {
  const { response, cost } = documentOf(path);
  return [{ ...liteLlm(response.model, response.usage), usd: cost }];
}

/**
 * Anthropic bills its own summaries in addition to the message's figures; OpenAI includes cache reads and writes in the
 * input.
 * @param {string} model @param {any} usage @returns {Usage[]}
 */
function usageOfReport(model, usage) {
  const { cached_tokens: within = 0, cache_write_tokens: written = 0 } = usage.input_tokens_details ?? {};
  const { cache_read_input_tokens: read = 0, cache_creation_input_tokens: write = 0 } = usage;
  const compactions = (usage.iterations ?? []).filter((/** @type {any} */ { type }) => type === 'compaction');
  const answer = usageOf(
    model,
    usage.input_tokens - within - written,
    read + within,
    write + written,
    usage.output_tokens,
  );
  return [...compactions.flatMap((/** @type {any} */ turn) => usageOfReport(model, turn)), answer];
}

/** Parses a YAML map with one number, map or list of maps per line, as in the cassettes. @param {readonly string[]} lines */
function parseYamlMap(lines) {
  /** @type {any} */
  const map = {};
  for (let start = 0, end = 0; start < lines.length; start = end) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(lines[start] ?? '') ?? [];
    end = start + 1;
    while (end < lines.length && /^[ -]/.test(lines[end] ?? '')) end++;
    const inner = lines.slice(start + 1, end);
    const items = inner.join('\n').split(/^- /m).slice(1);
    if (items.length > 0)
      map[name] = items.map((item) => parseYamlMap(item.split('\n').map((line) => line.replace(/^ {2}/, ''))));
    else if (inner.length > 0) map[name] = parseYamlMap(inner.map((line) => line.slice(2)));
    else map[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return map;
}

/** Response bodies as YAML, or as stream events, of which the last figures count. @param {string} path @returns {Usage[]} */
function recordedBodies(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  /** @type {{ model: string, usage: any }[]} */
  const reports = [];
  let model = '';
  for (const [index, line] of lines.entries()) {
    model = /^ {6}model: (\S+)$/.exec(line)?.[1] ?? model;
    if (line === '      usage:') {
      const rest = lines.slice(index + 1);
      const block = rest.slice(
        0,
        rest.findIndex((next) => !next.startsWith('        ')),
      );
      reports.push({ model, usage: parseYamlMap(block.map((one) => one.slice(8))) });
    }
    if (!line.startsWith('        data: {')) continue;
    const { type, message, usage, response } = JSON.parse(line.trim().slice('data: '.length));
    if (type === 'message_start') reports.push({ model: message.model, usage: { ...message.usage } });
    else if (type === 'message_delta') Object.assign(reports.at(-1)?.usage, usage);
    else if (type === 'response.completed') reports.push({ model: response.model, usage: response.usage });
  }
  return reports.flatMap(({ model: name, usage }) => usageOfReport(name, usage));
}

/** By folder of the recordings. @type {Record<string, (path: string) => Usage[]>} */
export const plainUsage = {
  'anthropic-requests': recordedBodies,
  'claude-code': claudeCode,
  'cline-sdk': cline,
  codex,
  'gemini-cli': geminiCli,
  'kimi-cli': kimiCli,
  'openai-chat-request-logs': chatLog,
  'openai-responses': recordedBodies,
  opencode,
  openhands: openHands,
  pi,
  'qwen-code': qwenCode,
};
