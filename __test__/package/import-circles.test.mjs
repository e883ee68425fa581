// @ts-check
/** Imports form no circle, so each file can be read and tested without the files that import it. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { repository } from '../support/children.mjs';
import { importCircles } from '../support/imports/circles.mjs';
import { javascriptImports } from '../support/imports/javascript.mjs';
import { rustImports } from '../support/imports/rust.mjs';

const crates = ['src', ...readdirSync(join(repository, 'crates')).map((crate) => join('crates', crate, 'src'))];

describe('imports', () => {
  for (const source of crates) {
    test(`form no circle between the files of ${source}`, () => {
      const graph = rustImports(source);
      assert.ok(graph.size > 1, 'files are found');
      // The files of the two small binding crates don't import each other.
      if (graph.size > 5)
        assert.ok(
          [...graph.values()].some(({ size }) => size > 1),
          'imports are found',
        );
      assert.deepEqual(importCircles(graph), []);
    });
  }

  test('form no circle between the files of lib, bin and ui', async () => {
    const graph = await javascriptImports(['lib', 'bin', 'ui']);
    assert.ok(
      [...graph.values()].some(({ size }) => size > 1),
      'imports are found',
    );
    assert.deepEqual(importCircles(graph), []);
  });
});

describe('the search for import circles', () => {
  /** @param {Record<string, string[]>} imports */
  const circlesOf = (imports) =>
    importCircles(new Map(Object.entries(imports).map(([file, imported]) => [file, new Set(imported)])));

  test('importCircles returns the files of each circle', () => {
    assert.deepEqual(circlesOf({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: ['d'], f: ['a', 'e'] }), [
      ['d', 'e'],
      ['a', 'b', 'c'],
    ]);
  });

  test('importCircles returns nothing for two import paths to one file', () => {
    assert.deepEqual(circlesOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }), []);
  });

  test('rustImports follows nested lists, aliases and re-exports', () => {
    const root = mkdtempSync(join(tmpdir(), 'imports-'));
    /** @param {string} file @param {string} text */
    const write = (file, text) => {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    };
    try {
      write('lib.rs', 'mod top;\nmod tested;\npub use top::{deep::Item as Renamed, low};\n');
      write('top.rs', 'pub mod deep;\npub mod low;\npub use deep::Item;\n// use crate::tested::Tested;\n');
      write('top/deep.rs', 'pub struct Item;\nfn f() { super::low::g("crate::tested::h"); }\n');
      write('top/low.rs', 'pub fn g(text: &str) {}\n#[cfg(test)]\nmod tests {\n    use crate::tested::Tested;\n}\n');
      write('tested.rs', 'use crate::{top::{Item, low as bottom}, Renamed};\nfn h() { bottom::g(""); }\n');
      assert.deepEqual(
        [...rustImports(root)].map(([file, imported]) => [
          relative(root, file),
          [...imported].map((path) => relative(root, path)).toSorted(),
        ]),
        [
          ['lib.rs', []],
          ['tested.rs', [join('top', 'deep.rs'), join('top', 'low.rs')]],
          ['top.rs', []],
          [join('top', 'deep.rs'), [join('top', 'low.rs')]],
          [join('top', 'low.rs'), []],
        ],
      );
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
