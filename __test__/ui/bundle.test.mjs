// @ts-check
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

  it(`is one file of at most ${MOST_GZIPPED_BYTES} bytes gzipped, all elements together`, () => {
    const { length } = gzipSync(bundle, { level: 9 });
    assert.ok(length <= MOST_GZIPPED_BYTES, `${length} bytes`);
  });

  it('asks for no other module, and for no network', () => {
    assert.doesNotMatch(
      bundle,
      /\bimport\s*[("{*]|\brequire\(|\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon/,
    );
  });

  it('makes nothing of text but text: no HTML, no code, no style attribute', () => {
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

  it('imported where there is no DOM, such as on a server, does nothing and harms nothing', async () => {
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
  it('leave each other alone', async () => {
    const second = readFileSync(join(ui, 'dist', 'elements.js'), 'utf8');
    const { page, close } = await browser.open('<tool-progress message="here"></tool-progress>', {
      scripts: { '/second.js': second },
      head: '<script type="module" src="/second.js"></script>',
    });
    await page.getByText('here').first().waitFor();
    await close();
  });
});
