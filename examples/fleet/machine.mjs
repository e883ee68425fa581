// @ts-check
/** A machine of the fleet: prepares and sends requests of any conversation. */
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ContextViews } from 'palimpsest';
import { storedMessages, timeOf } from './conversation.mjs';

const CONFIG = {
  autoCompressionSummaryModel: 'summary-small',
  maxContextTokens: 24_000,
  autoCompressionSummaryContextTokens: 128_000,
  autoCompressionKeepRecentCount: 6,
};
const BYTES_PER_TOKEN = 4;
const SECTIONS = ['Goal', 'Decisions', 'Done', 'Open', 'Files', 'Failed attempts'];

/**
 * @typedef {import('./worker.mjs').Settings} Settings
 * @typedef {{ conversation: number, step: number, saved: Saved | undefined }} Job a request to send
 * @typedef {{ step: number, history: any[] }} Saved the application's copy of the history, if a compression changed it
 * @typedef {{ bytes: string, tokens: number }} Part part of a request, identified by a digest
 * @typedef {{ parts: Part[], saved: Saved | undefined, tookMs: number }} Sent
 */

export class Machine {
  #views;
  #keepsSummaries;

  /**
   * @param {any} store keeps the conversations' facts and originals; without a store each machine knows only its own
   * @param {{ onSummary: (tokens: number) => void, onEvent?: (event: any) => void } & Omit<Settings, 'database'>} options
   */
  constructor(store, { onSummary, onEvent, storeTimeoutMs, summaryMs = 20, keepsSummaries = true }) {
    /** Deterministic: the same request gets the same summary. @param {{ messages: any[] }} request */
    const llmClient = async ({ messages }) => {
      const prompt = JSON.stringify(messages);
      onSummary(Math.ceil(prompt.length / BYTES_PER_TOKEN));
      await wait(summaryMs);
      const body = `What the history says of it: ${digest(prompt)}`;
      return SECTIONS.map((name) => `## ${name}\n${body}`).join('\n\n');
    };
    this.#keepsSummaries = keepsSummaries;
    this.#views = new ContextViews({
      price: 'anthropic',
      compression: { config: CONFIG, llmClient, ...(store && { archive: store }) },
      ...(store && { store, storeTimeoutMs, onEvent }),
    });
  }

  /** Prepares and sends a request. @param {Job} job @returns {Promise<Sent>} */
  async send({ conversation, step, saved }) {
    const stored =
      saved === undefined
        ? storedMessages(conversation, step)
        : [...saved.history, ...storedMessages(conversation, step, saved.step + 1)];
    const conversationId = nameOf(conversation);
    const started = performance.now();
    const prepared = await this.#views.prepare(stored, { conversationId, now: timeOf(step) });
    const tookMs = performance.now() - started;
    const isChanged = this.#keepsSummaries && prepared.compression.did !== 'nothing';
    return {
      parts: partsOf(prepared.messages),
      saved: isChanged ? { step, history: prepared.history } : undefined,
      tookMs,
    };
  }
}

/** @param {number} conversation */
export function nameOf(conversation) {
  return `conversation ${conversation}`;
}

/** @param {readonly any[]} messages @returns {Part[]} */
export function partsOf(messages) {
  return messages.map((message) => {
    const json = JSON.stringify(message);
    return { bytes: digest(json), tokens: Math.ceil(json.length / BYTES_PER_TOKEN) };
  });
}

/** @param {string} text */
function digest(text) {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
