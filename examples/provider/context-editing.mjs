// @ts-check
/**
 * Simulates Anthropic's `clear_tool_uses_20250919` by the API's documentation: once the prompt is longer than `trigger`
 * (100,000 tokens), placeholders replace the results of all tool uses except the newest `keep` (3). The API keeps no
 * state between requests, so each request is decided again.
 */

/** @typedef {{ type: string, trigger?: { type: string, value: number }, keep?: { value: number }, clear_at_least?: { value: number } | null }} Edit */

const BYTES_PER_TOKEN = 4;
const TRIGGER = { type: 'input_tokens', value: 100_000 };
const KEEP = { value: 3 };
const PLACEHOLDER = '[cleared to save context]';

/**
 * The messages as the API passes them to the model.
 * @param {readonly any[]} messages
 * @param {readonly Edit[]} edits
 * @returns {readonly any[]} the same array if nothing is cleared
 */
export function withEdits(messages, edits) {
  const edit = edits.find(({ type }) => type === 'clear_tool_uses_20250919');
  if (edit === undefined) return messages;
  const { trigger = TRIGGER, keep = KEEP, clear_at_least: least } = edit;
  const uses = messages.flatMap(blocksOf).filter(({ type }) => type === 'tool_use');
  const size = trigger.type === 'tool_uses' ? uses.length : tokensOf(messages);
  if (size <= trigger.value) return messages;
  const cleared = new Set(uses.slice(0, Math.max(0, uses.length - keep.value)).map(({ id }) => id));
  const result = messages.map((message) => withPlaceholders(message, cleared));
  return tokensOf(messages) - tokensOf(result) < (least?.value ?? 0) ? messages : result;
}

/** @param {any} message @param {ReadonlySet<string>} cleared */
function withPlaceholders(message, cleared) {
  if (typeof message.content === 'string') return message;
  const content = message.content.map((/** @type {any} */ block) =>
    cleared.has(block.tool_use_id) ? { ...block, content: PLACEHOLDER } : block,
  );
  return { ...message, content };
}

/** @param {any} message @returns {any[]} */
const blocksOf = ({ content }) => (typeof content === 'string' ? [] : content);

/** @param {readonly any[]} messages */
const tokensOf = (messages) => Math.ceil(Buffer.byteLength(JSON.stringify(messages)) / BYTES_PER_TOKEN);
