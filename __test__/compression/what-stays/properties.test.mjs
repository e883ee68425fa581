// @ts-check
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as face from 'palimpsest';
import { runs } from '../../support/comparison.mjs';
import { assertAdjacent, assertFits, assertPairs, Host, pairing, weigh } from '../../support/compressed-host.mjs';
import { prose, Scribe, turn } from '../../support/random-sessions.mjs';
import { REPLIES, scripted } from '../../support/scripted-llm.mjs';

const { AutoCompressionManager, stripForApi } = /** @type {any} */ (face);
const NOW = 1_780_000_000_000;

const { constant, constantFrom, integer, oneof, record } = fc;

/** What the host does while the model writes. */
const action = oneof(
  constant({ does: 'nothing' }),
  record({ does: constant('append'), turn }),
  record({ does: constantFrom('edit', 'rewind'), choice: integer({ min: 0, max: 1_000 }) }),
  record({ does: constantFrom('process', 'abort') }),
);

const round = record({
  turns: fc.array(turn, { minLength: 1, maxLength: 12, size: 'max' }),
  replies: oneof(constant(['good']), fc.array(constantFrom(...Object.keys(REPLIES)), { minLength: 1, maxLength: 4 })),
  actions: oneof(constant([]), fc.array(action, { minLength: 1, maxLength: 3 })),
  minutes: constantFrom(0, 1, 10),
});

const session = record({
  form: /** @type {fc.Arbitrary<'openai' | 'anthropic'>} */ (constantFrom('openai', 'anthropic')),
  isFrozen: fc.boolean(),
  systemWords: constantFrom(0, 5, 5, 80),
  settings: record({
    maxContextTokens: integer({ min: 1_500, max: 8_000 }),
    autoCompressionKeepRecentCount: constantFrom(undefined, 0, 1, 4, 10),
    autoCompressionSummaryMaxTokens: constantFrom(undefined, 150, 400),
    autoCompressionSummaryModel: oneof(
      { weight: 9, arbitrary: constant('fast') },
      { weight: 1, arbitrary: constant(undefined) },
    ),
    autoCompressionSummaryContextTokens: constantFrom(undefined, 3_000, 128_000, 128_000),
  }),
  rounds: fc.array(round, { minLength: 1, maxLength: 6, size: 'max' }),
});

/** One agent session: the host, the manager, and the model that it asks. */
class Play {
  /** @type {any[]} */
  events = [];
  /** @type {((parameters: any) => unknown)} */
  reply = () => '';
  /** @type {any[]} */
  actions = [];
  /** @type {Promise<void>[]} */
  others = [];
  /** Ids of calls that went before they were answered. @type {Set<string>} */
  givenUp = new Set();
  controller = new AbortController();

  /** @param {any} plan */
  constructor({ form, isFrozen, systemWords, settings }) {
    this.host = new Host({ isFrozen });
    this.scribe = new Scribe(form, weigh);
    this.window = settings.maxContextTokens;
    if (systemWords > 0) this.host.append({ role: 'system', content: prose(systemWords, 1) });
    this.manager = new AutoCompressionManager(
      settings,
      (/** @type {any} */ parameters) => this.#ask(parameters),
      null,
      {
        pin: (/** @type {any} */ message) => message.isPinned === true,
        onEvent: (/** @type {any} */ event) => this.events.push(event),
      },
    );
  }

  /** @param {any} plan @param {number} now */
  async play({ turns, replies, actions }, now) {
    for (const plan of turns) this.#append(plan);
    this.reply = scripted(replies);
    this.actions = actions;
    this.events = [];
    this.controller = new AbortController();
    this.others = [];
    const result = await this.manager.process(this.host.messages, { now, signal: this.controller.signal });
    assert.equal(result, undefined);
    await Promise.all(this.others);
    this.#noteGivenUp();
  }

  #noteGivenUp() {
    const isCut = this.events.some(({ type }) => type === 'truncated');
    const newest = this.host.history.findLast(({ role }) => role === 'assistant');
    const kept = new Set(this.host.messages.flatMap((message) => pairing(message).declares));
    // A call that others came behind may never be answered.
    for (const id of isCut ? [] : pairing(newest).declares) kept.add(id);
    const inFlight = this.scribe.inFlight.flatMap((message) => pairing(message).answers);
    for (const id of inFlight) if (!kept.has(id)) this.givenUp.add(id);
  }

  /** @param {any} parameters */
  #ask(parameters) {
    for (const action of this.actions) this.#act(action);
    this.actions = [];
    return this.reply(parameters);
  }

  /** @param {any} action */
  #act({ does, turn: plan, choice }) {
    if (does === 'append') this.#append(plan);
    else if (does === 'edit') this.host.edit(choice);
    else if (does === 'rewind') {
      this.host.rewind(choice);
      this.scribe.forget();
    } else if (does === 'process') this.others.push(this.manager.process(this.host.messages, { now: NOW }));
    else if (does === 'abort') this.controller.abort();
  }

  /** @param {any} plan */
  #append(plan) {
    this.host.append(...this.scribe.write(plan, this.host.messages));
  }
}

/** @param {(play: Play) => void} claim @param {number} share */
async function holdsAfterEachRound(claim, share) {
  const happened = { compressed: 0, truncated: 0, discarded: 0, summary_failed: 0, summary_refused: 0 };
  const property = fc.asyncProperty(session, async (plan) => {
    const play = new Play(plan);
    let now = NOW;
    for (const round of plan.rounds) {
      await play.play(round, now);
      claim(play);
      assert.ok(!play.events.some(({ type }) => type === 'failed'), 'something unforeseen happened');
      for (const { type } of play.events) if (type in happened) happened[type] += 1;
      now += 1 + round.minutes * 60_000;
    }
  });
  await fc.assert(property, runs(share));
  // Sessions in which nothing happens prove nothing.
  for (const [type, count] of Object.entries(happened)) assert.ok(count > 0, `never ${type}`);
}

describe('compression of random sessions', () => {
  it('R7.8 the exact history comes back after every round, through JSON too, and R0.1 nothing stored was written to', () =>
    holdsAfterEachRound(({ host }) => {
      host.assertUntouched();
      host.assertWhole();
    }, 0.05));

  it('R7.4 every pair of call and result stays a pair, side by side, for the provider too', () =>
    holdsAfterEachRound(({ host, givenUp }) => {
      assertPairs(host.messages, host.history, givenUp);
      assertPairs(stripForApi(host.messages), host.history, givenUp);
      assertAdjacent(host.messages, host.history, givenUp);
    }, 0.05));

  it('R7.11 no request is above the hard limit, whatever the model and the host did', () =>
    holdsAfterEachRound(({ host, window, events, controller }) => {
      if (!controller.signal.aborted) assertFits(host.messages, { window }, events);
    }, 0.05));

  it('EDGE 24 what a message thought is kept to the byte or goes with its message', () =>
    holdsAfterEachRound(({ host }) => {
      const thoughts = new Map(host.history.map((message) => [message.uid, thinking(message)]));
      for (const message of host.messages) {
        if (message.uid !== undefined) assert.equal(thinking(message), thoughts.get(message.uid));
      }
    }, 0.02));
});

/** @param {any} message */
function thinking({ content, reasoning_content }) {
  const parts = Array.isArray(content) ? content.filter((part) => part.type === 'thinking') : [];
  return JSON.stringify([reasoning_content, parts]);
}
