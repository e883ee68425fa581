// @ts-check
/**
 * Several processes that share conversations: each conversation moves to another process every few steps, and processes
 * are killed. This process plays the application and the provider: it assigns requests to processes, stores histories
 * that a compression changed, and receives the requests.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
/** Number of consecutive requests that a conversation stays with a process. */
const STEPS_TOGETHER = 4;
/** A process is killed within this time after a request. */
const MAX_MS_TO_KILL = 30;

/**
 * @typedef {import('./machine.mjs').Saved} Saved
 * @typedef {import('./machine.mjs').Sent} Sent
 * @typedef {{ number: number, step: number, saved: Saved | undefined, owner: Worker | undefined, left: number }} Conversation
 *   `owner`: the process that has it, for `left` more requests
 * @typedef {{ process: import('node:child_process').ChildProcess, jobs: Set<Conversation> }} Worker
 * @typedef {{ conversation: number, step: number, sent: Sent }} Request
 *
 * @typedef {object} Plan
 * @property {number} processes
 * @property {number} conversations
 * @property {number} steps steps of each conversation
 * @property {number} [killEvery] a process is killed every this many requests
 * @property {{ at: number, run: () => Promise<void> }[]} [faults] run each one when the share `at` (0 to 1) of all
 *   requests was sent
 * @property {import('./worker.mjs').Settings} settings
 * @property {(done: number) => void} [onProgress]
 *
 * @typedef {{ requests: Request[], summaries: number[], events: { type: string, did: string, code?: string }[], kills: number, saved: (Saved | undefined)[] }} Played
 */

/** @param {Plan} plan @returns {Promise<Played>} */
export async function playFleet(plan) {
  return new Fleet(plan).play();
}

class Fleet {
  #plan;
  /** @type {Worker[]} */ #workers = [];
  /** @type {Conversation[]} */ #conversations;
  /** @type {Played} */ #played = { requests: [], summaries: [], events: [], kills: 0, saved: [] };
  /** @type {Promise<void>[]} */ #faults = [];
  #done = 0;
  #random = 1;
  #isOver = false;
  /** @type {(error?: unknown) => void} */ #end = () => {};

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = { ...plan, faults: [...(plan.faults ?? [])] };
    this.#conversations = Array.from({ length: plan.conversations }, (_, number) => ({
      number,
      step: 0,
      saved: undefined,
      owner: undefined,
      left: 0,
    }));
  }

  async play() {
    try {
      await new Promise((resolve, reject) => {
        this.#end = (error) => (error === undefined ? resolve(undefined) : reject(error));
        for (let count = 0; count < this.#plan.processes; count++) this.#startWorker();
        for (const conversation of this.#conversations) this.#sendNext(conversation);
      });
      await Promise.all(this.#faults);
    } finally {
      this.#isOver = true;
      for (const { process } of this.#workers) process.kill('SIGKILL');
    }
    return { ...this.#played, saved: this.#conversations.map(({ saved }) => saved) };
  }

  #startWorker() {
    const { settings } = this.#plan;
    /** @type {Worker} */
    const worker = { process: fork(WORKER, [JSON.stringify(settings)]), jobs: new Set() };
    this.#workers.push(worker);
    worker.process.on('message', (message) => this.#onMessage(worker, message));
    // Not on exit: messages that it sent before arrive before `disconnect`.
    worker.process.on('disconnect', () => this.#onEnd(worker));
  }

  /** Continues a killed process's conversations in other processes. @param {Worker} worker */
  #onEnd(worker) {
    if (this.#isOver) return;
    this.#workers.splice(this.#workers.indexOf(worker), 1);
    this.#startWorker();
    for (const conversation of worker.jobs) {
      conversation.left = 0;
      this.#sendNext(conversation);
    }
  }

  /** @param {Conversation} conversation */
  #sendNext(conversation) {
    if (conversation.left === 0 || conversation.owner?.process.killed) {
      conversation.owner = this.#workers[this.#draw(this.#workers.length)];
      conversation.left = STEPS_TOGETHER;
    }
    conversation.left--;
    const { owner, number, step, saved } = conversation;
    owner?.jobs.add(conversation);
    // If the process just ended, its conversations are reassigned once `disconnect` arrives.
    if (owner?.process.connected) owner.process.send({ conversation: number, step, saved }, () => {});
  }

  /** @param {Worker} worker @param {any} message */
  #onMessage(worker, { job, sent, error, summary, event }) {
    if (error !== undefined) this.#end(new Error(error));
    if (summary !== undefined) this.#played.summaries.push(summary);
    if (event !== undefined) this.#played.events.push(event);
    if (sent === undefined) return;
    const conversation = /** @type {Conversation} */ (this.#conversations[job.conversation]);
    this.#played.requests.push({ conversation: job.conversation, step: job.step, sent });
    worker.jobs.delete(conversation);
    conversation.saved = sent.saved ?? conversation.saved;
    conversation.step++;
    this.#done++;
    this.#plan.onProgress?.(this.#done);
    this.#causeFaults();
    if (conversation.step < this.#plan.steps) this.#sendNext(conversation);
    else if (this.#done === this.#plan.conversations * this.#plan.steps) this.#end();
  }

  #causeFaults() {
    const { faults = [], killEvery = Infinity, conversations, steps } = this.#plan;
    const due = faults.findIndex(({ at }) => this.#done >= at * conversations * steps);
    if (due >= 0) this.#faults.push(...faults.splice(due, 1).map(({ run }) => run()));
    if (this.#done % killEvery !== 0) return;
    const victim = this.#workers[this.#draw(this.#workers.length)];
    setTimeout(() => {
      if (this.#isOver || victim?.process.killed) return;
      this.#played.kills++;
      victim?.process.kill('SIGKILL');
    }, this.#draw(MAX_MS_TO_KILL));
  }

  /** A pseudo-random number, the same in each run. @param {number} below */
  #draw(below) {
    this.#random = (Math.imul(this.#random, 1_103_515_245) + 12_345) >>> 0;
    return (this.#random >>> 8) % below;
  }
}
