// @ts-check
/** The kind of each part of a message. Tests of the core and of session files read the same examples. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContextView, contextPicture } from 'palimpsest';

/** @type {{ dialect: string, kind: string, part: any }[]} */
const parts = JSON.parse(readFileSync(new URL('../fixtures/parts.json', import.meta.url), 'utf8'));
/** The kind of an assistant message in a picture if it has only this part. Other parts have another kind. */
const SHOWN = new Map([
  ['thinking', 'reasoning'],
  ['call', 'call'],
  ['result', 'result'],
]);

/** @param {{ dialect: string, kind: string, part: any }} entry */
function messageOf({ dialect, kind, part }) {
  const isItem = dialect.startsWith('openai-') && /_call|reasoning/.test(part.type);
  if (isItem) return part;
  const role = kind !== 'result' ? 'assistant' : dialect === 'ai-sdk' ? 'tool' : 'user';
  return { role, content: [part] };
}

test('R11.6 in a picture each part of every dialect is shown as thinking, a call, a result or none of these', () => {
  for (const entry of parts) {
    // Calls and results of Anthropic's server tools are in one assistant message and aren't paired.
    if (/^server_|^web_search_/.test(entry.part.type)) continue;
    const dialect = /** @type {any} */ (entry.dialect === 'openai-agents' ? 'openai-responses' : entry.dialect);
    const { kinds, threads } = contextPicture(new ContextView({ dialect }), [messageOf(entry)]);
    const shown = kinds[threads[0]?.cells.at(-1)?.kind ?? -1];
    const expected = SHOWN.get(entry.kind);
    if (expected !== undefined) assert.equal(shown, expected, JSON.stringify(entry));
    else assert.ok(![...SHOWN.values()].includes(shown ?? ''), JSON.stringify(entry));
  }
});
