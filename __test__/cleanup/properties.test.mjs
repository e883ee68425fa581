// @ts-check
/** Random histories: what each rule of docs/spec/cleanup.md says holds for all of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as product from 'palimpsest';
import { runs, withoutTouching } from '../support/comparison.mjs';
import { deepFreeze } from '../support/compressed-host.mjs';
import {
  cleanupOptions,
  delay,
  fileReadOptions,
  history,
  MINUTE,
  terminalOptions,
  textSearchOptions,
} from '../support/histories.mjs';

const TERMINAL = '此命令返回内容已过时';
const READ = '[该文件的历史读取内容已压缩,请参看最新读取结果]';
const FUNCTIONS = /** @type {const} */ ([
  ['simplifyOutdatedTerminalResults', terminalOptions],
  ['simplifyHistoricalFileReads', fileReadOptions],
  ['simplifyTextSearchResults', textSearchOptions],
  ['cleanOrphanedToolCalls', fc.constant({})],
]);

/**
 * Calls `check` for each drop-in function with random histories.
 * @param {(call: (messages: any[]) => any, stored: any[], name: string) => void} check
 */
function forEachFunction(check) {
  for (const [name, options] of FUNCTIONS) {
    const property = fc.property(history, options, delay, ({ messages, end }, chosen, minutes) => {
      const given = { ...chosen, now: end + minutes * MINUTE };
      check((target) => /** @type {any} */ (product)[name](target, given), messages, name);
    });
    fc.assert(property, runs(0.05));
  }
}

/** @param {(stored: any[], now: number) => void} check */
function forHistories(check) {
  const property = fc.property(history, delay, ({ messages, end }, minutes) => check(messages, end + minutes * MINUTE));
  fc.assert(property, runs(0.1));
}

const isTimedResult = (message) => message?.role === 'tool' && Number.isFinite(message.timestamp);
const startsWithError = (message) => typeof message.content === 'string' && /^\s*Error:/.test(message.content);
const hasErrorStatus = (message) => message.messageStatus === 'error' || startsWithError(message);

/** Timed results, newest first, as R1.2 orders them. */
function newestFirst(messages) {
  const timed = messages.flatMap((message, index) => (isTimedResult(message) ? [{ message, index }] : []));
  return timed.sort((a, b) => b.message.timestamp - a.message.timestamp || b.index - a.index);
}

test('R0.1 no function writes to a stored message, and frozen messages give the same result', () => {
  forEachFunction((call, stored) => {
    const api = withoutTouching(stored, (fresh) => {
      call(fresh);
      return fresh;
    });
    const frozen = structuredClone(stored).map((message) => deepFreeze(message));
    call(frozen);
    assert.deepEqual(frozen, api);
  });
});

test('R1.6 a second call with the same array changes nothing and reports nothing', () => {
  forEachFunction((call, stored, name) => {
    const api = [...stored];
    call(api);
    const firstResult = [...api];
    const report = call(api);
    assert.deepEqual([report.changed, report.indices, report.unitsRemoved], [0, [], 0], name);
    assert.ok(
      api.length === firstResult.length && api.every((message, index) => Object.is(message, firstResult[index])),
      `${name}: a slot was replaced again`,
    );
  });
});

test('R0.4 two equal histories give equal messages and reports', () => {
  forEachFunction((call, stored) => {
    const one = [...stored];
    const other = structuredClone(stored);
    const reports = [call(one), call(other)];
    assert.deepEqual(other, one);
    assert.deepEqual(reports[1], reports[0]);
  });
});

test('R0.1 a replaced message is a copy of the stored one that differs only in its content', () => {
  forEachFunction((call, stored, name) => {
    if (name === 'cleanOrphanedToolCalls') return;
    const api = [...stored];
    const { indices } = call(api);
    assert.equal(api.length, stored.length);
    api.forEach((message, index) => {
      if (!indices.includes(index)) {
        assert.ok(Object.is(message, stored[index]), `slot ${index} was replaced`);
        return;
      }
      assert.notEqual(message, stored[index]);
      assert.deepEqual({ ...message, content: null }, { ...stored[index], content: null });
      assert.notEqual(message.content, stored[index].content);
    });
  });
});

test('R3b.3 a report has exactly the changed indices and the number of removed units', () => {
  forEachFunction((call, stored, name) => {
    const api = [...stored];
    const report = call(api);
    if (name === 'cleanOrphanedToolCalls') {
      const kept = new Set(api);
      const removedIndices = stored.flatMap((message, index) => (kept.has(message) ? [] : [index]));
      assert.deepEqual(
        report.indices.map((index) => stored[index]),
        removedIndices.map((index) => stored[index]),
      );
    } else {
      const replaced = api.flatMap((message, index) => (Object.is(message, stored[index]) ? [] : [index]));
      assert.deepEqual([...report.indices], replaced);
      const removed = replaced.reduce((sum, at) => sum + stored[at].content.length - api[at].content.length, 0);
      assert.equal(report.unitsRemoved, removed);
    }
    assertConsistent(report);
    assert.ok(Object.isFrozen(report) && Object.isFrozen(report.indices) && Object.isFrozen(report.byRule));
  });
});

/** Asserts that the figures of a report add up. */
function assertConsistent(report) {
  // A message may lose several calls, so it may count more than once.
  const furtherChanges = report.changed - report.indices.length;
  assert.ok(furtherChanges >= 0 && furtherChanges <= report.duplicates, `${furtherChanges} further changes`);
  assert.deepEqual(
    [...report.indices],
    [...new Set(report.indices)].sort((a, b) => a - b),
    'ascending, each once',
  );
  const rules = Object.values(report.byRule);
  for (const figure of ['changed', 'unitsRemoved', 'estimatedTokensSaved']) {
    assert.equal(
      rules.reduce((sum, rule) => sum + rule[figure], 0),
      report[figure],
      `byRule: ${figure}`,
    );
  }
  for (const { byPath, changed } of rules) {
    for (const figures of Object.values(byPath ?? {})) assert.ok(figures.changed >= 1 && figures.changed <= changed);
  }
}

test('R3b.3 the report of prepareMessages has each rule once, and its figures add up', () => {
  const property = fc.property(history, cleanupOptions, delay, ({ messages, end }, options, minutes) => {
    const { messages: api, report } = product.prepareMessages(messages, { ...options, now: end + minutes * MINUTE });
    assertConsistent(report);
    assert.deepEqual(Object.keys(report.byRule).sort(), ['fileReads', 'orphans', 'terminal']);
    // Removing one of several calls with one id removes no message.
    const calls = (report.byRule.orphans?.changed ?? 0) - (messages.length - api.length);
    assert.ok(calls >= 0 && calls <= report.duplicates);
    const stored = new Set(messages);
    const replaced = api.filter((message) => message?.role === 'tool' && !stored.has(message));
    assert.equal(report.changed, replaced.length + calls + messages.length - api.length);
  });
  fc.assert(property, runs(0.1));
});

test('R3b.2 prepareMessages and custom rules replace a text only by a shorter one', () => {
  const placeholders = fc.constantFrom('-', 'x'.repeat(40), '{tool}: {chars} units, {age} old', '[{path}]');
  const property = fc.property(history, cleanupOptions, placeholders, delay, (drawn, options, placeholder, minutes) => {
    const now = drawn.end + minutes * MINUTE;
    const rule = { name: 'own', tools: ['exec', 'filesystem-read', 'ace-text_search'], keepRecent: 0, placeholder };
    const { messages: api, report } = product.prepareMessages(drawn.messages, {
      ...options,
      orphans: false,
      textSearch: true,
      rules: [rule, { ...rule, name: 'by path', groupBy: 'path' }],
      now,
    });
    const own = [...drawn.messages];
    const ownReport = product.simplifyToolResults(own, [rule], { now });
    for (const [changed, figures] of /** @type {const} */ ([
      [api, report],
      [own, ownReport],
    ])) {
      for (const index of figures.indices) {
        assert.ok(changed[index].content.length < drawn.messages[index].content.length, `slot ${index}`);
      }
      for (const { changed, unitsRemoved } of Object.values(figures.byRule)) assert.ok(unitsRemoved >= changed);
    }
  });
  fc.assert(property, runs(0.1));
});

test('R1.2 the newest five successful results of any tool stay', () => {
  forHistories((stored, now) => {
    const api = [...stored];
    product.simplifyOutdatedTerminalResults(api, { now, errors: 'seed' });
    const successful = newestFirst(stored).filter(({ message }) => !hasErrorStatus(message));
    for (const { index } of successful.slice(0, 5)) assert.equal(api[index], stored[index], `slot ${index}`);
  });
});

test('R1.3 R1.5 a replaced result is more than 15 minutes old and no error', () => {
  forHistories((stored, now) => {
    const api = [...stored];
    const { indices } = product.simplifyOutdatedTerminalResults(api, { now, keepRecent: 0 });
    for (const index of indices) {
      assert.ok(now - stored[index].timestamp > 15 * MINUTE, `slot ${index} is too young`);
      assert.ok(!hasErrorStatus(stored[index]), `slot ${index} is an error`);
      assert.equal(api[index].content, TERMINAL);
    }
  });
});

const read = fc.record({
  paths: fc.uniqueArray(fc.constantFrom('a.ts', 'b.ts', 'c.ts'), { minLength: 1, maxLength: 3 }),
  isError: fc.oneof(fc.constant(false), fc.constant(false), fc.boolean()),
  minute: fc.nat({ max: 6 }),
});

test('R2.4 R2.5 a successful read is replaced exactly if each of its paths has `keepRecent` newer successful reads', () => {
  const property = fc.property(
    fc.array(read, { maxLength: 25, size: 'max' }),
    fc.integer({ min: 0, max: 3 }),
    (reads, keepRecent) => {
      const stored = reads.flatMap(({ paths, isError, minute }, index) => [
        readCall(`r${index}`, paths.length === 1 ? paths[0] : paths),
        { role: 'tool', tool_call_id: `r${index}`, content: isError ? 'Error: x' : 'text', timestamp: minute * MINUTE },
      ]);
      const isNewer = (a, b) => reads[a].minute > reads[b].minute || (reads[a].minute === reads[b].minute && a > b);
      const newerReads = (path, index) =>
        reads.filter((other, at) => !other.isError && other.paths.includes(path) && isNewer(at, index)).length;
      const expected = reads.flatMap(({ paths, isError }, index) =>
        !isError && paths.every((path) => newerReads(path, index) >= keepRecent) ? [index * 2 + 1] : [],
      );
      const { indices } = product.simplifyHistoricalFileReads(stored, { keepRecent, projectRoot: '/r' });
      assert.deepEqual([...indices], expected);
      for (const index of indices) assert.equal(stored[index].content, READ);
    },
  );
  fc.assert(property, runs(0.1));
});

function readCall(id, filePath) {
  const call = { id, function: { name: 'filesystem-read', arguments: JSON.stringify({ filePath }) } };
  return /** @type {any} */ ({ role: 'assistant', content: '', tool_calls: [call] });
}

/** True if a result has no call id, so that it may belong to any call of its turn. @param {any[]} messages */
const hasResultWithoutId = (messages) =>
  messages.some((m) => m?.role === 'tool' && !(m.tool_call_id && typeof m.tool_call_id === 'string'));

test('R3.1 after cleanup each call has a result, each result a call, and no message repeats an id', () => {
  forHistories((stored) => {
    if (hasResultWithoutId(stored)) return;
    const api = [...stored];
    product.cleanOrphanedToolCalls(api);
    const isId = (id) => typeof id === 'string' && id !== '';
    const calls = api
      .filter((m) => m?.role === 'assistant' && Array.isArray(m.tool_calls))
      .flatMap((m) => m.tool_calls);
    const declared = new Set(calls.map((call) => call?.id).filter(isId));
    const answered = new Set(
      api
        .filter((m) => m?.role === 'tool')
        .map((m) => m.tool_call_id)
        .filter(isId),
    );
    assert.deepEqual([...declared].sort(), [...answered].sort());
    for (const message of api.filter((m) => m?.role === 'assistant' && Array.isArray(m.tool_calls))) {
      const ids = message.tool_calls.map((call) => call?.id).filter(isId);
      assert.equal(new Set(ids).size, ids.length);
    }
    assert.equal(product.cleanOrphanedToolCalls([...api]).changed, 0);
  });
});

test('R3.2 kept messages keep their identity and order', () => {
  forHistories((stored) => {
    const api = [...stored];
    product.cleanOrphanedToolCalls(api);
    let at = -1;
    for (const message of api) {
      // A message with several calls of one id is replaced by a copy with one of them.
      const same = (other) => other === message || isWithoutCalls(message, other);
      at = stored.findIndex((other, index) => index > at && same(other));
      assert.notEqual(at, -1, 'a message is no stored one, or out of order');
    }
  });
});

/** @param {any} copy @param {any} stored */
function isWithoutCalls(copy, stored) {
  const [left, all] = [copy?.tool_calls, stored?.tool_calls];
  if (!Array.isArray(left) || !Array.isArray(all) || left.length >= all.length) return false;
  const others = Object.keys(stored).every((field) => field === 'tool_calls' || copy[field] === stored[field]);
  return others && left.every((call) => all.includes(call));
}
