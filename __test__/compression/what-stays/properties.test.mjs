// @ts-check
/** Random sessions with changes of the array, aborts and bad models: history, pairs, hard limit and thinking are kept. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../support/comparison.mjs';
import {
  Application,
  assertAdjacent,
  assertFits,
  assertPairs,
  countTokens,
  pairing,
} from '../../support/compressed-host.mjs';
import { AutoCompressionManager, NOW, stripForApi } from '../../support/compression.mjs';
import { prose, Scribe, turn } from '../../support/random-sessions.mjs';
import { REPLIES, scripted } from '../../support/scripted-llm.mjs';

const { constant, constantFrom, integer, oneof, record } = fc;

/** What the application does while the summary is pending. */
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

/** One agent session: the application, the manager, and the summary model. */
class SessionRun {
  /** @type {any[]} */
  events = [];
  /** @type {((parameters: any) => unknown)} */
  reply = () => '';
  /** @type {any[]} */
  actions = [];
  /** @type {Promise<void>[]} */
  otherCalls = [];
  /** Ids of calls that were removed before their results came. @type {Set<string>} */
  givenUp = new Set();
  controller = new AbortController();

  /** @param {any} plan */
  constructor({ form, isFrozen, systemWords, settings }) {
    this.application = new Application({ isFrozen });
    this.scribe = new Scribe(form, countTokens);
    this.window = settings.maxContextTokens;
    if (systemWords > 0) this.application.append({ role: 'system', content: prose(systemWords, 1) });
    this.manager = new AutoCompressionManager(
      settings,
      (/** @type {any} */ parameters) => this.#answer(parameters),
      null,
      {
        pin: (/** @type {any} */ message) => message.isPinned === true,
        onEvent: (/** @type {any} */ event) => this.events.push(event),
      },
    );
  }

  /** @param {any} plan @param {number} now */
  async runRound({ turns, replies, actions }, now) {
    for (const plan of turns) this.#append(plan);
    this.reply = scripted(replies);
    this.actions = actions;
    this.events = [];
    this.controller = new AbortController();
    this.otherCalls = [];
    const result = await this.manager.process(this.application.messages, { now, signal: this.controller.signal });
    assert.equal(result, undefined);
    await Promise.all(this.otherCalls);
    this.#noteGivenUp();
  }

  #noteGivenUp() {
    const isCut = this.events.some(({ type }) => type === 'truncated');
    const newest = this.application.history.findLast(({ role }) => role === 'assistant');
    const kept = new Set(this.application.messages.flatMap((message) => pairing(message).declares));
    // A call before later messages may never be answered.
    for (const id of isCut ? [] : pairing(newest).declares) kept.add(id);
    const inFlight = this.scribe.inFlight.flatMap((message) => pairing(message).answers);
    for (const id of inFlight) if (!kept.has(id)) this.givenUp.add(id);
  }

  /** @param {any} parameters */
  #answer(parameters) {
    for (const action of this.actions) this.#act(action);
    this.actions = [];
    return this.reply(parameters);
  }

  /** @param {any} action */
  #act({ does, turn: plan, choice }) {
    if (does === 'append') this.#append(plan);
    else if (does === 'edit') this.application.edit(choice);
    else if (does === 'rewind') {
      this.application.rewind(choice);
      this.scribe.forget();
    } else if (does === 'process') this.otherCalls.push(this.manager.process(this.application.messages, { now: NOW }));
    else if (does === 'abort') this.controller.abort();
  }

  /** @param {any} plan */
  #append(plan) {
    this.application.append(...this.scribe.write(plan, this.application.messages));
  }
}

/** How often each event occurred in the sessions of all properties. @type {Record<string, number>} */
const eventCounts = { compressed: 0, truncated: 0, discarded: 0, summary_failed: 0, summary_refused: 0 };

/** @param {(run: SessionRun) => void} check @param {number} share */
async function checkAfterEachRound(check, share) {
  const property = fc.asyncProperty(session, async (plan) => {
    const run = new SessionRun(plan);
    let now = NOW;
    for (const round of plan.rounds) {
      await run.runRound(round, now);
      check(run);
      assert.ok(!run.events.some(({ type }) => type === 'failed'), 'an unexpected error');
      for (const { type } of run.events) if (type in eventCounts) eventCounts[type] = (eventCounts[type] ?? 0) + 1;
      now += 1 + round.minutes * 60_000;
    }
  });
  await fc.assert(property, runs(share));
}

describe('random sessions', () => {
  it('R7.8 R0.1 after every round expandHistory restores the exact history, also after JSON, and no stored message was modified', () =>
    checkAfterEachRound(({ application }) => {
      application.assertUntouched();
      application.assertWhole();
    }, 0.05));

  it('R7.4 after every round calls and results are complete or removed, and adjacent if they were, also after stripForApi', () =>
    checkAfterEachRound(({ application, givenUp }) => {
      assertPairs(application.messages, application.history, givenUp);
      assertPairs(stripForApi(application.messages), application.history, givenUp);
      assertAdjacent(application.messages, application.history, givenUp);
    }, 0.05));

  it('R7.11 after every round that was not aborted the array is below the hard limit', () =>
    checkAfterEachRound(({ application, window, events, controller }) => {
      if (!controller.signal.aborted) assertFits(application.messages, { window }, events);
    }, 0.05));

  it('EDGE 24 the thinking of a message is byte-identical as long as the message is in the array', () =>
    checkAfterEachRound(({ application }) => {
      const thinkingByUid = new Map(application.history.map((message) => [message.uid, thinking(message)]));
      for (const message of application.messages) {
        if (message.uid !== undefined) assert.equal(thinking(message), thinkingByUid.get(message.uid));
      }
    }, 0.02));

  it('the sessions of these properties are compressed, truncated and discarded, and have failed and refused summaries', () => {
    for (const [type, count] of Object.entries(eventCounts)) assert.ok(count > 0, `never ${type}`);
  });
});

/** @param {any} message */
function thinking({ content, reasoning_content }) {
  const parts = Array.isArray(content) ? content.filter((part) => part.type === 'thinking') : [];
  return JSON.stringify([reasoning_content, parts]);
}
