// @ts-check
/** Messages and batches for archives. */

/** Compresses after a few turns. */
export const CONFIGURATION = {
  maxContextTokens: 2_000,
  autoCompressionSummaryModel: 'fast',
  autoCompressionSummaryContextTokens: 128_000,
  autoCompressionKeepRecentCount: 4,
};

/** Message `index` of a fixed history, whose length alone tells what a killed process had stored. @param {number} index */
export function originalMessage(index) {
  const turn = Math.floor(index / 4);
  const id = `call_${turn}`;
  const call = {
    id,
    type: 'function',
    function: { name: 'filesystem-read', arguments: `{"filePath":"src/${turn}.ts"}` },
  };
  const written = `第 ${turn} 次构建的日志，端口 ${8_000 + turn}。 `;
  return [
    { role: 'user', content: `${turn}: please go on` },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: written.repeat(8) },
    { role: 'assistant', content: `Read ${turn}. 完成。` },
  ][index % 4];
}

/** @param {number} count */
export function originalHistory(count) {
  return Array.from({ length: count }, (_, index) => originalMessage(index));
}

/** A batch for `SessionArchive.append`. @param {string} id @param {unknown[]} messages @param {object} [rest] @returns {any} */
export const batch = (id, messages, rest) => ({
  id,
  kind: 'summary',
  level: 1,
  at: 1_700_000_000_000,
  messages,
  ...rest,
});

/** @param {string} content */
export const user = (content) => ({ role: 'user', content });
