// @ts-check
/** A history that can be regenerated up to any length: its length alone says what a killed process had stored. */

/** Compresses after a few turns. */
export const CONFIGURATION = {
  maxContextTokens: 2_000,
  autoCompressionSummaryModel: 'fast',
  autoCompressionSummaryContextTokens: 128_000,
  autoCompressionKeepRecentCount: 4,
};

/** @param {number} index */
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
