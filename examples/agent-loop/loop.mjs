// @ts-check
/** The agent: calls its model, runs the tools, and keeps the conversation within a small context window. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  AutoCompressionManager,
  expandHistory,
  HttpLlmClient,
  prepareMessages,
  SessionArchive,
  stripForApi,
  TokenCounter,
} from 'palimpsest';
import { AGENT_MODEL, SUMMARY_MODEL, startModel } from './model.mjs';
import { systemPrompt, turns } from './script.mjs';
import { bold, inWords, print, printHeading, printTurn } from './timeline.mjs';
import { definitions, toolsIn } from './tools.mjs';

/** Small, so that a few seconds of work fill it several times. */
const WINDOW_TOKENS = 5_000;
/** Newest messages that a compression keeps. */
const KEEP_RECENT = 6;
/** Duration of a turn by the example's clock. */
const TURN_MS = 60_000;
const SESSION = 'example';

/**
 * @param {string} folder an empty folder
 * @returns {Promise<boolean>} true if the whole history was restored
 */
export async function runExample(folder) {
  const counter = new TokenCounter();
  const model = await startModel(turns, (messages, tools) => counter.countMessages(messages, { tools }));
  const archive = new SessionArchive(join(folder, 'history.db'));
  try {
    return await converse({ folder, model, archive });
  } finally {
    model.close();
    await archive.close();
  }
}

/** @param {{ folder: string, model: Awaited<ReturnType<typeof startModel>>, archive: SessionArchive }} context */
async function converse({ folder, model, archive }) {
  const lookup = archive.lookupTool({ sessionId: SESSION, language: 'en' });
  const tools = [...definitions, lookup.definition];
  const execute = toolsIn(folder, lookup);
  /** @type {string[]} */
  let happened = [];
  const manager = new AutoCompressionManager(
    {
      autoCompressionSummaryModel: SUMMARY_MODEL,
      autoCompressionKeepRecentCount: KEEP_RECENT,
      autoCompressionSummaryMaxTokens: 400,
      maxContextTokens: WINDOW_TOKENS,
    },
    new HttpLlmClient({ baseUrl: model.url, proxy: false, maxRetries: 0 }),
    null,
    { tools, archive, sessionId: SESSION, language: 'en', onEvent: (event) => happened.push(...inWords(event)) },
  );

  const start = Date.now();
  /** Messages that the application stores; the manager replaces some of them. @type {any[]} */
  const stored = [];
  /** All original messages, for the comparison at the end. @type {any[]} */
  const everything = [];
  const add = (/** @type {any} */ message) => {
    stored.push(message);
    everything.push(structuredClone(message));
  };

  add({ role: 'system', content: systemPrompt });
  printHeading();
  for (const [index, turn] of turns.entries()) {
    const now = start + index * TURN_MS;
    happened = [];
    if (turn.user !== undefined) add({ role: 'user', content: turn.user, timestamp: now });
    model.setOutage(turn.isOutage === true);

    await manager.process(stored, { now });
    const { messages } = prepareMessages(stored, { now, fileReads: { projectRoot: folder } });
    const { message, usage } = await ask(model.url, { messages: stripForApi(messages), tools });

    add({ ...message, timestamp: now, usage });
    for (const call of turn.interrupted ? [] : (message.tool_calls ?? [])) {
      const content = await execute(call.function.name, JSON.parse(call.function.arguments));
      add({ role: 'tool', tool_call_id: call.id, content, timestamp: now });
    }
    if (turn.interrupted) happened.push('interrupted: its call is stored, but not sent');
    printTurn(index + 1, message.content, stored.length, usage.prompt_tokens, happened);
  }
  printStats(manager.stats());
  printLookup(stored);
  return await checkRestored({ stored, everything, archive, folder });
}

/**
 * @param {string} url
 * @param {{ messages: object[], tools: object[] }} request
 * @returns {Promise<{ message: any, usage: { prompt_tokens: number } }>}
 */
async function ask(url, request) {
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: AGENT_MODEL, ...request }),
  });
  if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
  const { choices, usage } = /** @type {any} */ (await response.json());
  return { message: choices[0].message, usage };
}

/** @param {import('palimpsest').CompressionStats} stats */
function printStats({ compressed, truncated, llmCalls, failed, tokensSaved }) {
  print();
  print(
    `compressions: ${compressed}, truncations: ${truncated}, summary calls: ${llmCalls} (${failed} failed), tokens saved: ${Math.round(tokensSaved)}`,
  );
}

/** Prints the last call, a lookup in the archive, and its result. @param {readonly any[]} stored */
function printLookup(stored) {
  const call = stored.flatMap((message) => message.tool_calls ?? []).at(-1);
  const answer = stored.find((message) => message.tool_call_id === call.id);
  print();
  print(bold(`${call.function.name} ${call.function.arguments}`));
  for (const line of answer.content.split('\n').slice(0, 6)) print(`  ${line}`);
}

/**
 * Restores the history and compares it.
 * @param {{ stored: any[], everything: any[], archive: SessionArchive, folder: string }} session
 */
async function checkRestored({ stored, everything, archive, folder }) {
  // As after a restart: all that is left of the session is the application's file and the archive.
  const saved = join(folder, 'session.json');
  writeFileSync(saved, JSON.stringify(stored));
  const history = await expandHistory(JSON.parse(readFileSync(saved, 'utf8')), { archive, sessionId: SESSION });
  const isRestored = isDeepStrictEqual(history, everything);
  print();
  print(
    `session.json has ${stored.length} messages; expandHistory gives back ${history.length} of ${everything.length}, ${isRestored ? 'deep-equal to what was said' : 'NOT what was said'}`,
  );
  return isRestored;
}
