// @ts-check
/**
 * Compares `ccusage` and `palimpsest sessions` on the same Claude Code sessions: `node bench/ccusage.mjs [MB]`. Prints
 * both token totals, and the time and memory of each. Records of sub-agents are left out, because ccusage ignores them.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { byCcusage, byPalimpsest, sumOf } from './ccusage-totals.mjs';
import { measureText } from './measured-process.mjs';
import { filesBelow, withCopies } from './session-copies.mjs';

const bytes = Number(process.argv[2] ?? '200') * 1e6;
const recordings = fileURLToPath(new URL('../../shared/recordings/claude-code', import.meta.url));
if (!(bytes > 0) || !existsSync(recordings)) {
  process.stderr.write('expected a number of megabytes, and ../shared/recordings/claude-code\n');
  process.exit(2);
}
const kept = mkdtempSync(join(tmpdir(), 'palimpsest-main-'));
try {
  for (const path of filesBelow(recordings)) {
    const lines = readFileSync(path, 'utf8').split('\n');
    const main = lines.filter((line) => !line.includes('"agent_progress"'));
    writeFileSync(join(kept, basename(path)), main.join('\n'));
  }
  await withCopies(filesBelow(kept), bytes, async (folder, written) => {
    process.stdout.write(`${(written / 1e6).toFixed(0)} MB\n`);
    for (const [name, count] of /** @type {const} */ ([
      ['ccusage', byCcusage],
      ['palimpsest', byPalimpsest],
    ])) {
      const { taken, sessions } = await count(folder);
      const { input, written: stored, read, output } = sumOf(sessions.values());
      const tokens = `input ${input}, written ${stored}, read ${read}, output ${output}`;
      process.stdout.write(
        `${name.padEnd(10)} ${sessions.size} sessions: ${tokens}\n           ${measureText(taken, written)}\n`,
      );
    }
  });
} finally {
  rmSync(kept, { recursive: true, force: true });
}
