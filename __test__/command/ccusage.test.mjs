// @ts-check
/** Compares token counts of Claude Code recordings with those of ccusage, an independent program. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { byCcusage, byPalimpsest } from '../../bench/ccusage-totals.mjs';
import { renamed } from '../../bench/session-copies.mjs';

const recordings = fileURLToPath(new URL('../../../shared/recordings/claude-code', import.meta.url));

function reasonToSkip() {
  // In CI missing recordings must fail, not skip.
  if (!existsSync(recordings)) return process.env.CI ? false : 'no recordings next to the repository';
  const { platform, arch } = process;
  const name = `@ccusage/ccusage-${platform}-${arch}`;
  try {
    createRequire(import.meta.url).resolve(`${name}/package.json`);
    return false;
  } catch {
    return `ccusage has no program for ${platform} ${arch}`;
  }
}

const folders = /** @type {string[]} */ ([]);
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** @param {(text: string) => string} change @returns {string} a folder laid out like Claude Code's */
function claudeFolder(change) {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-ccusage-'));
  folders.push(folder);
  mkdirSync(join(folder, 'projects', 'p'), { recursive: true });
  for (const name of readdirSync(recordings)) {
    writeFileSync(join(folder, 'projects', 'p', name), change(readFileSync(join(recordings, name), 'utf8')));
  }
  return folder;
}

describe('R12.3 tokens of Claude Code recordings, compared with ccusage', { skip: reasonToSkip() }, () => {
  test('ccusage counts the same input, cache writes, cache reads and output for each main thread', async () => {
    const withoutSubAgents = claudeFolder((text) =>
      text
        .split('\n')
        .filter((line) => !line.includes('"agent_progress"'))
        .join('\n'),
    );
    const [theirs, ours] = await Promise.all([byCcusage(withoutSubAgents), byPalimpsest(withoutSubAgents)]);
    assert.equal(ours.sessions.size, 5);
    assert.deepEqual(Object.fromEntries(ours.sessions), Object.fromEntries(theirs.sessions));
  });

  test('palimpsest counts the tokens of sub-agents in addition, which ccusage leaves out of these files', async () => {
    const folder = claudeFolder((text) => text);
    const [theirs, ours] = await Promise.all([byCcusage(folder), byPalimpsest(folder)]);
    for (const [name, our] of ours.sessions) {
      const their = theirs.sessions.get(name);
      assert.ok(their);
      const subAgentTokens = our.input + our.written + our.read - their.input - their.written - their.read;
      assert.equal(subAgentTokens, name.startsWith('kimicli-3d') ? 97_626 : 0, name);
    }
  });
});

test('renamed() changes all ids of a copied session, but not its model', () => {
  const text = '{"uuid":"a","parentUuid":null,"message":{"id":"m","modelId":"x"},"tool_use_id":"t","sessionID":"s"}';
  assert.equal(
    renamed(text, 'c1'),
    '{"uuid":"c1-a","parentUuid":null,"message":{"id":"c1-m","modelId":"x"},"tool_use_id":"c1-t","sessionID":"c1-s"}',
  );
});
