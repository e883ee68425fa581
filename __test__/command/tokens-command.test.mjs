// @ts-check
/** `palimpsest tokens`, run as a process. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TokenCounter } from 'palimpsest';
import { file, palimpsest, shell } from '../support/command.mjs';

describe('palimpsest tokens', () => {
  test('R6.2 the JSON has the tokens that countMessages counts, and those of each kind', () => {
    const { status, stdout, stderr } = palimpsest(['tokens', '--json', file('shell.json', shell)]);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    const [figures] = JSON.parse(stdout).sessions;
    assert.equal(figures.tokens, new TokenCounter().countMessages(shell));
    assert.equal(figures.isExact, true);
    assert.equal(figures.byKind['tool results'].messages, 30);
    assert.equal(figures.byKind['tool calls'].messages, 30);
  });

  test('R6.3 the table labels an estimate with its model and encoding', () => {
    const { stdout } = palimpsest(['tokens', '--model', 'claude-opus-4.7', file('shell.json', shell)]);
    assert.match(stdout, /estimated for claude-opus-4\.7 from o200k_base/);
    assert.match(stdout, /est\. tokens/);
    assert.match(palimpsest(['tokens', 'shell.json']).stdout, /text counted exactly in o200k_base/);
  });

  test('R7.3 the table has the model’s context window and the share that a session fills', () => {
    const path = file('shell.json', shell);
    const { stdout } = palimpsest(['tokens', '--model', 'claude-haiku-4-5', path]);
    assert.match(stdout, /; \d+\.\d % of its window of 200,000/);
    assert.doesNotMatch(palimpsest(['tokens', '--model', 'agent-large', path]).stdout, /window/);
    const [figures] = JSON.parse(palimpsest(['tokens', '--json', '--model', 'gpt-5', path]).stdout).sessions;
    assert.equal(figures.contextWindow, 400_000);
  });

  test('a missing file exits with 1, and the other files are counted', () => {
    const { status, stdout, stderr } = palimpsest(['tokens', 'missing.json', file('shell.json', shell)]);
    assert.equal(status, 1);
    assert.match(stderr, /missing\.json/);
    assert.match(stdout, /shell\.json/);
  });

  test('an unknown option or encoding exits with 2', () => {
    assert.equal(palimpsest(['tokens', '--frob', 'x']).status, 2);
    const { status, stderr } = palimpsest(['tokens', '--encoding', 'gpt2', 'x']);
    assert.equal(status, 2);
    assert.match(stderr, /options\.encoding.*o200k_base.*cl100k_base/);
  });
});
