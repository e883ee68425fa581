// @ts-check
/**
 * One campaign: starts and monitors a child process that plays one case after another. A case that hangs, crashes,
 * prints, or uses too much memory is a finding; a new child then continues after it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('child.mjs', import.meta.url));

/** CPU time, because other load on the machine can delay a case for longer than it runs. */
const HANG_MS = 20_000;
/** Wall-clock time, for a case that waits for something that never happens and uses no CPU. */
const STALL_MS = 120_000;
const IDLE_CPU_MS = 100;
/** A case of this campaign is a whole test file. */
const STALL_OF_PROPERTIES_MS = 1_200_000;
const WATCH_MS = 500;
const HEAP_MB = 1_024;
const MAX_RESIDENT_BYTES = 2.5 * 2 ** 30;
const PAGE_BYTES = 4_096;
const MAX_SEEDS = 5;
const MAX_PRINTED = 2_000;

/** @typedef {{ message: string, detail: string, times: number, seeds: number[] }} Finding */

export class Campaign {
  cases = 0;
  /** Findings by what was found: the same defect found a thousand times counts once. @type {Map<string, Finding>} */
  findings = new Map();
  /** @type {Record<string, number>} */
  counts = {};
  isStopped = false;
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #running;

  /**
   * @param {string} name
   * @param {number} seed seed of the first case
   * @param {number} milliseconds duration of the campaign; 0: one case
   * @param {number} [most] maximum number of cases
   */
  constructor(name, seed, milliseconds, most = Number.POSITIVE_INFINITY) {
    this.most = most;
    this.name = name;
    this.stallMs = name === 'properties' ? STALL_OF_PROPERTIES_MS : STALL_MS;
    this.seed = seed;
    this.isSingle = milliseconds === 0;
    this.until = Date.now() + milliseconds;
  }

  async run() {
    do await this.#runChild();
    while (!this.isSingle && !this.isStopped && this.cases < this.most && Date.now() < this.until);
  }

  /** Stops the campaign; results so far are kept. */
  stop() {
    this.isStopped = true;
    this.#running?.kill('SIGKILL');
  }

  /** @returns {Promise<void>} when the child has ended, for any reason */
  async #runChild() {
    const limits = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings'];
    const words = [...limits, child, this.name, String(this.seed), String(this.isSingle ? 0 : this.until)];
    const running = spawn(process.execPath, words, {
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: { ...process.env, PALIMPSEST_LOG: '', NODE_OPTIONS: '' },
    });
    this.#running = running;
    let beganAt = Date.now();
    let coreMs = 0;
    let [busyAt, busyMs] = [beganAt, 0];
    let ended = '';
    let printed = '';
    let rest = '';
    const hear = (/** @type {Buffer} */ chunk) => {
      printed = (printed + chunk).slice(-MAX_PRINTED);
    };
    running.stdout?.on('data', hear);
    running.stderr?.on('data', hear);
    /** @type {import('node:stream').Readable} */ (running.stdio[3]).on('data', (chunk) => {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('{"seed"')) {
          beganAt = Date.now();
          coreMs = coreMsOf(running.pid);
          [busyAt, busyMs] = [beganAt, coreMs];
        }
        this.#hear(JSON.parse(line));
      }
    });
    const watch = setInterval(() => {
      const usedMs = coreMsOf(running.pid);
      if (usedMs - busyMs > IDLE_CPU_MS) [busyAt, busyMs] = [Date.now(), usedMs];
      if (usedMs - coreMs > HANG_MS) ended = `a case took more than ${HANG_MS} ms of a core`;
      else if (Date.now() - busyAt > this.stallMs) ended = `a case waited for ${this.stallMs} ms`;
      else if (residentBytes(running.pid) > MAX_RESIDENT_BYTES) {
        ended = `a case took more than ${MAX_RESIDENT_BYTES} bytes`;
      } else return;
      running.kill('SIGKILL');
    }, WATCH_MS);
    const [code, signal] = await once(running, 'close');
    clearInterval(watch);
    if (ended === '' && code !== 0 && !this.isStopped)
      ended = `the process ended with ${signal ?? `exit code ${code}`}`;
    if (ended === '' && printed !== '') ended = 'something was printed';
    if (ended !== '') this.#note(this.seed, ended, printed);
    this.seed += 1;
  }

  /** @param {any} heard */
  #hear({ seed, finding, detail, counts }) {
    if (seed !== undefined) {
      if (this.cases === this.most) return this.stop();
      this.seed = seed;
      this.cases += 1;
    }
    if (finding !== undefined) this.#note(this.seed, finding, detail);
    for (const [what, count] of Object.entries(counts ?? {})) this.counts[what] = (this.counts[what] ?? 0) + count;
  }

  /** @param {number} seed @param {string} message @param {string} detail */
  #note(seed, message, detail) {
    const key = message.replace(/'[^']*'|\d+/g, '…').slice(0, 120);
    const known = this.findings.get(key);
    if (known === undefined) this.findings.set(key, { message, detail, times: 1, seeds: [seed] });
    else {
      known.times += 1;
      if (known.seeds.length < MAX_SEEDS) known.seeds.push(seed);
    }
  }
}

/** Resident memory of the process; 0 if unknown. @param {number | undefined} pid */
function residentBytes(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_BYTES;
  } catch {
    return 0;
  }
}

/** CPU time of the process in ms; 0 if unknown. @param {number | undefined} pid */
function coreMsOf(pid) {
  try {
    // Fields after the program's name, which may contain spaces: the 12th and 13th, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return 0;
  }
}
