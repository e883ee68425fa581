// @ts-check
/** The bundle `palimpsest/elements`: size, imports, safety of its sources, types. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundleElements } from '../../scripts/bundle-ui.mjs';
import { describeInBrowser } from '../support/browser.mjs';

const ui = fileURLToPath(new URL('../../ui', import.meta.url));
const MOST_GZIPPED_BYTES = 64_000;

describe('palimpsest/elements', () => {
  /** @type {string} */
  let bundle;
  before(async () => {
    bundle = readFileSync(await bundleElements(), 'utf8');
  });

  it(`is one file of at most ${MOST_GZIPPED_BYTES} gzipped bytes for all elements`, () => {
    const { length } = gzipSync(bundle, { level: 9 });
    assert.ok(length <= MOST_GZIPPED_BYTES, `${length} bytes`);
  });

  it('imports no other module, and uses no network', () => {
    assert.doesNotMatch(
      bundle,
      /\bimport\s*[("{*]|\brequire\(|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/,
    );
  });

  it('R8.1 has no source that parses HTML, evaluates code or sets a style attribute', () => {
    const sources = readdirSync(ui, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.js') && !name.startsWith('dist'),
    );
    assert.ok(sources.length > 10);
    for (const name of sources) {
      const source = readFileSync(join(ui, name), 'utf8');
      assert.doesNotMatch(
        source,
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function|setHTML/,
        name,
      );
      assert.doesNotMatch(source, /setAttribute\('style'/, name);
    }
  });

  it('can be imported without a DOM, and defines no elements there', async () => {
    const names = Object.keys(await import('palimpsest/elements'));
    assert.ok(names.includes('CompressionHistory'), names.join());
    assert.equal(globalThis.customElements, undefined);
  });

  it('has types for every element that it defines', () => {
    const defined = [...readFileSync(join(ui, 'elements.js'), 'utf8').matchAll(/define\('([\w-]+)'/g)].map(
      ([, name]) => name,
    );
    const types = readFileSync(join(ui, 'elements.d.ts'), 'utf8');
    assert.ok(defined.length >= 3);
    for (const name of defined) assert.ok(types.includes(`'${name}':`), name);
  });
});

describeInBrowser('two copies of palimpsest/elements on a page', (browser) => {
  it('work without an error', async () => {
    const second = readFileSync(join(ui, 'dist', 'elements.js'), 'utf8');
    const { page, close } = await browser.open('<tool-progress message="here"></tool-progress>', {
      scripts: { '/second.js': second },
      head: '<script type="module" src="/second.js"></script>',
    });
    await page.getByText('here').first().waitFor();
    await close();
  });
});
