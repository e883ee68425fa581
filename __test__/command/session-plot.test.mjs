// @ts-check
/** The plots of `palimpsest simulate`: they agree with its figures, and file names in them are escaped. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ticksOf } from '../../bin/plots/charts.mjs';
import { svgOf } from '../../bin/plots/svg.mjs';
import { fits, terminalPlot, terminalPlots } from '../../bin/plots/terminal.mjs';
import { lookOf } from '../../bin/print.mjs';
import { cachedSession } from '../support/claude-code.mjs';
import { directory, file, palimpsest } from '../support/command.mjs';

/** @param {string} svg @param {string} key @returns {[number, number][]} */
function pointsOf(svg, key) {
  const path = new RegExp(`class="curve ${key}" d="M([^"h]+)"`).exec(svg)?.[1] ?? '';
  return path.split('L').map((point) => /** @type {[number, number]} */ (point.split(' ').map(Number)));
}

/** @type {import('../../bin/plots/charts.mjs').Chart} */
const chart = {
  title: 'a.jsonl',
  subtitle: 'Claude Code · 3 requests',
  requests: [1, 2, 3],
  lines: [
    { key: 'leave-alone', name: 'unmodified', values: [1, 2, 4] },
    { key: 'view', name: 'ContextView', values: [1, 2, 3] },
    { key: 'paid', name: 'paid', values: [1, 1.5, 2] },
  ],
  levels: [{ key: 'hindsight', name: 'hindsight', value: 1 }],
  format: (value) => `$${value.toFixed(2)}`,
};

describe('R12.3 simulate --svg', () => {
  test('the curves of all policies and of the paid cost end at the figures of the JSON, and never fall', () => {
    const words = ['simulate', '--json', '--hindsight', '--svg', 'plot.svg', file('plotted.jsonl', cachedSession(30))];
    const { status, stdout, stderr } = palimpsest(words);
    assert.deepEqual([status, stderr], [0, '']);
    const svg = readFileSync(join(directory, 'plot.svg'), 'utf8');
    const [account] = JSON.parse(stdout).files[0].sessions;
    const [{ policies, curves }] = account.simulations;
    assert.equal(curves.requests.at(-1), 30);
    const ends = new Map(
      [...curves.policies.map((/** @type {{ policy: string }} */ { policy }) => policy), 'paid'].map((key) => [
        key,
        pointsOf(svg, key).at(-1) ?? [0, 0],
      ]),
    );
    assert.equal(ends.size, 7);
    assert.ok(
      [...ends.values()].every(([x]) => x === 700),
      'each curve ends at the last request',
    );
    assert.match(svg, /class="curve hindsight" d="M640 [\d.]+h66"/);
    // Heights are in proportion to costs; y is 346 at cost 0.
    const height = (/** @type {string} */ key) => 346 - /** @type {[number, number]} */ (ends.get(key))[1];
    const cost = (/** @type {string} */ key) =>
      policies.find((/** @type {{ policy: string }} */ { policy }) => policy === key).cost;
    assert.ok(
      Math.abs(height('every-request') / height('leave-alone') - cost('every-request') / cost('leave-alone')) < 0.01,
    );
    assert.ok(Math.abs(height('paid') / height('leave-alone') - account.bill.paid / cost('leave-alone')) < 0.01);
    for (const [, values] of svg.matchAll(/class="curve [\w-]+" d="M([^"h]+)"/g)) {
      const heights = /** @type {string} */ (values).split('L').map((point) => Number(point.split(' ')[1]));
      assert.ok(
        heights.every((y, at) => at === 0 || y <= /** @type {number} */ (heights[at - 1])),
        'costs only grow',
      );
    }
  });

  test('the SVG has a title, a description in words, labelled axes, and colours for dark mode', () => {
    const svg = svgOf([chart], 0);
    assert.match(svg, /role="img" aria-labelledby="title desc"/);
    assert.match(svg, /<title id="title">Cost of recorded sessions/);
    assert.match(
      svg,
      /<desc id="desc">a\.jsonl: unmodified \$4\.00, ContextView \$3\.00, paid \$2\.00, hindsight \$1\.00\./,
    );
    assert.match(svg, /@media\(prefers-color-scheme:dark\)/);
    assert.match(svg, />requests<\/text>/);
    assert.match(svg, />cost of prompts so far<\/text>/);
    assert.doesNotMatch(svg, /<script|href=|NaN|undefined|Infinity/);
  });

  test('the SVG escapes markup in a session’s name', () => {
    const svg = svgOf([{ ...chart, title: '</text><script>alert(1)</script>&"' }], 3);
    assert.doesNotMatch(svg, /<script/);
    assert.match(svg, /&lt;script&gt;alert\(1\)&lt;\/script&gt;&amp;&quot;/);
    assert.match(svg, /3 more that cost less aren’t drawn/);
  });

  test('--svg with an unwritable file exits with 2, and without a session writes no file', () => {
    const path = file('plotted.jsonl', cachedSession(2));
    const unwritable = palimpsest(['simulate', '--svg', 'no/such/folder/x.svg', path]);
    assert.equal(unwritable.status, 2);
    assert.match(unwritable.stderr, /--svg: expected a file to write; .*ENOENT/);
    const empty = palimpsest(['simulate', '--svg', 'none.svg', file('other.json', '{"a": 1}')]);
    assert.match(empty.stderr, /--svg: expected a session with at least one request/);
    assert.equal(existsSync(join(directory, 'none.svg')), false);
  });
});

describe('R12.3 simulate --plot', () => {
  const look = { ...lookOf(process.stdout), width: 80, height: 50, hasColour: false, isTerminal: false };

  test('without colours each curve is a letter of the legend, and no line is too wide', () => {
    const words = ['simulate', '--plot', file('plotted.jsonl', cachedSession(30))];
    const { stdout } = palimpsest(words, { env: { COLUMNS: '72' } });
    assert.match(stdout, /\n {2}V ContextView +\$\d/);
    assert.match(stdout, /30 requests/);
    assert.doesNotMatch(stdout, /\p{Cc}(?<!\n)|[\u2800-\u28FF]/u);
    const plot = stdout.slice(stdout.indexOf('┤') - 200);
    assert.ok(plot.split('\n').every((line) => [...line].length <= 132));
    for (const line of terminalPlot(chart, look).split('\n')) assert.ok([...line].length <= 80, line);
  });

  test('with colours the curves are braille dots', () => {
    const styles = { ...look.styles, cyan: (/** @type {string} */ text) => `<${text}>` };
    const text = terminalPlot(chart, { ...look, styles, hasColour: true });
    assert.match(text, /<[\u2801-\u28FF]>/);
    assert.match(text, /<━━> ContextView {2}\$3\.00/);
  });

  test('without --plot one session is drawn if the terminal is large enough, but several aren’t', () => {
    const curves = { requests: [1], paid: null, policies: [{ policy: 'leave-alone', costs: [5] }] };
    const policies = [
      { policy: 'leave-alone', cost: 5, usd: null, tokens: 5, cached: 0, prefixChanges: 0, peakTokens: 5 },
    ];
    const account = /** @type {any} */ ({
      agentName: 'pi',
      models: [],
      simulations: [{ prices: 'own', policies, curves }],
    });
    const accounts = (/** @type {number} */ sessions) =>
      /** @type {any} */ ({ files: Array.from({ length: sessions }, () => ({ path: 'x', sessions: [account] })) });
    const terminal = { ...look, isTerminal: true };
    assert.match(terminalPlots(accounts(1), terminal, false), /unmodified +5 tok/);
    assert.equal(terminalPlots(accounts(1), look, false), '');
    assert.equal(terminalPlots(accounts(2), terminal, false), '');
    assert.equal(terminalPlots(accounts(1), { ...terminal, height: 20 }, false), '');
    assert.equal(fits(40, 100), false);
    assert.match(terminalPlots(accounts(14), look, true), /2 more sessions that cost less aren’t drawn/);
  });

  test('ticks are round numbers from 0 up to at most the largest value', () => {
    for (const [most, about, expected] of /** @type {const} */ ([
      [26.1, 5, [0, 10, 20]],
      [9.9, 5, [0, 2, 4, 6, 8]],
      [0, 5, [0]],
      [Number.NaN, 5, [0]],
    ])) {
      assert.deepEqual(ticksOf(most, about), expected);
    }
  });
});
