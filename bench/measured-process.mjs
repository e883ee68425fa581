// @ts-check
/** Runs a program and measures its time and, if the machine supports it, instructions and memory. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @typedef {{ ms: number, instructions: number | null, peakBytes: number | null, stdout: string }} Measured */

/** Arguments of `perf`, which counts instructions if the machine permits it. */
const perf = ['stat', '-x', ',', '-e', 'instructions:u'];

function hasPerf() {
  const { status, stderr } = spawnSync('perf', [...perf, 'true'], { encoding: 'utf8' });
  return status === 0 && /^\d+,/m.test(stderr);
}

let isCounted = /** @type {boolean | undefined} */ (undefined);

/** @param {number} pid @returns {number} peak resident memory of the process and its children so far, bytes */
function peakOf(pid) {
  let peak = 0;
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  try {
    peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((most, child) => Math.max(most, peakOf(Number(child))), peak);
  } catch {
    // The process ended in the meantime.
    return peak;
  }
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Measured>}
 */
export async function measured(program, args, env = process.env) {
  isCounted ??= hasPerf();
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-perf-'));
  const output = join(folder, 'counts');
  const [first, rest] = isCounted ? ['perf', [...perf, '-o', output, program, ...args]] : [program, [...args]];
  const started = performance.now();
  const child = spawn(first, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  /** @type {Buffer[]} */
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, child.pid === undefined ? 0 : peakOf(child.pid));
  }, 20);
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  clearInterval(timer);
  const ms = performance.now() - started;
  const counts = isCounted ? readFileSync(output, 'utf8') : '';
  rmSync(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code}`);
  const instructions = /^(\d+),/m.exec(counts)?.[1];
  return {
    ms,
    instructions: instructions === undefined ? null : Number(instructions),
    peakBytes: peak > 0 ? peak : null,
    stdout: Buffer.concat(chunks).toString(),
  };
}

/**
 * A line with the figures.
 * @param {Measured} taken @param {number} bytes number of bytes processed @returns {string}
 */
export function measureText({ ms, instructions, peakBytes }, bytes) {
  const mb = bytes / 1e6;
  const parts = [
    `${(ms / 1000).toFixed(2)} s`,
    `${(mb / (ms / 1000)).toFixed(0)} MB/s`,
    `${(ms / mb).toFixed(2)} ms/MB`,
  ];
  if (instructions !== null) parts.push(`${(instructions / bytes).toFixed(1)} instructions a byte`);
  if (peakBytes !== null) parts.push(`${(peakBytes / 1e6).toFixed(0)} MB resident at most`);
  return parts.join(', ');
}
