// @ts-check
/** Minimal sessions in Claude Code's format. */

/** @typedef {{ minute: number, prompt: string, answer?: string, reads?: Record<string, string>, usage?: [input: number, read: number, written: number], summary?: string }} Turn */

/** @param {readonly Turn[]} turns @param {string} [cwd] @returns {string} JSON lines */
export function claudeCode(turns, cwd = '/home/me/project') {
  /** @type {unknown[]} */
  const records = [];
  /** @type {string | null} */
  let before = null;
  for (const [number, { minute, prompt, answer = 'I look', reads = {}, usage, summary }] of turns.entries()) {
    const shared = { sessionId: 's', cwd, isSidechain: false };
    /** @param {string} type @param {string} uuid @param {number} second @param {unknown} message */
    const push = (type, uuid, second, message) => {
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, minute, second)).toISOString();
      records.push({ type, uuid, parentUuid: before, timestamp, message, ...shared });
      before = uuid;
    };
    if (summary !== undefined) {
      records.push({
        type: 'system',
        subtype: 'compact_boundary',
        uuid: `b${number}`,
        parentUuid: null,
        compactMetadata: { preTokens: 50_000 },
        ...shared,
      });
      before = `b${number}`;
      push('user', `s${number}`, 0, { role: 'user', content: summary });
    }
    push('user', `u${number}`, 1, { role: 'user', content: prompt });
    const calls = Object.keys(reads).map((path, at) => ({
      type: 'tool_use',
      id: `t${number}-${at}`,
      name: 'Read',
      input: { file_path: path },
    }));
    const [input_tokens, cache_read_input_tokens, cache_creation_input_tokens] = usage ?? [];
    const counted = usage && { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens: 50 };
    push('assistant', `a${number}`, 2, {
      role: 'assistant',
      id: `m${number}`,
      model: 'claude-opus-4-5',
      content: [{ type: 'text', text: answer }, ...calls],
      ...(counted && { usage: counted }),
    });
    const results = Object.values(reads).map((content, at) => ({
      type: 'tool_result',
      tool_use_id: `t${number}-${at}`,
      content,
    }));
    if (results.length > 0) push('user', `r${number}`, 3, { role: 'user', content: results });
  }
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

/**
 * A session with a request per minute; each request reads the earlier ones from the cache and writes 1,000 tokens, the first 20,000.
 * @param {number} requests @param {string} [answer] the text of each assistant message
 */
export function cachedSession(requests, answer = 'done') {
  return claudeCode(
    Array.from({ length: requests }, (_, minute) => ({
      minute,
      prompt: 'go on',
      answer,
      usage: minute === 0 ? [0, 0, 20_000] : [0, 19_000 + 1_000 * minute, 1_000],
    })),
  );
}
