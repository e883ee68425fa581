// @ts-check
/**
 * Speed and memory of reading folders of recorded sessions: `node bench/session-scan.mjs [MB] [agent]`. Creates a
 * temporary folder from the recordings outside the repository, and removes it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measured, measureText } from './measured-process.mjs';
import { filesBelow, withCopies } from './session-copies.mjs';

const [megabytes = '200', agent = 'claude-code'] = process.argv.slice(2);
const bytes = Number(megabytes) * 1e6;
const recordings = fileURLToPath(new URL('../../shared/recordings', import.meta.url));
const folder = agent === 'all' ? recordings : join(recordings, agent);
const command = fileURLToPath(new URL('../bin/palimpsest.mjs', import.meta.url));

if (!(bytes > 0) || !existsSync(folder)) {
  process.stderr.write('expected a number of megabytes, and a folder of recordings such as claude-code, or all\n');
  process.exit(2);
}
const sources = filesBelow(folder).filter((path) => /\.jsonl?$/.test(path));
await withCopies(sources, bytes, async (copies, written) => {
  process.stdout.write(`${(written / 1e6).toFixed(0)} MB of ${agent}\n`);
  for (const args of [['sessions'], ['simulate'], ['simulate', '--need']]) {
    const taken = await measured(process.execPath, [command, ...args, '--csv', copies]);
    process.stdout.write(`${args.join(' ').padEnd(15)} ${measureText(taken, written)}\n`);
  }
});
