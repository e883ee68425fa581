// @ts-check
/** Every piece of code in the documents is run, as a reader would run it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { format } from 'node:util';
import { startProvider } from '../../examples/provider/provider.mjs';
import { isNode22 } from '../../scripts/programs.mjs';
import { repository } from '../support/children.mjs';
import { namesFor } from '../support/snippet-names.mjs';
import { shapeDifferences, shapeNames, shownObject } from '../support/snippet-shapes.mjs';
import { typeErrors } from '../support/snippet-types.mjs';
import {
  documents,
  documentsWithCode,
  makeProject,
  runSnippet,
  snippetsOf,
  unknownFences,
} from '../support/snippets.mjs';

const snippets = documentsWithCode().flatMap(snippetsOf);
const shown = snippets.filter(({ shapeOf }) => shapeOf !== undefined);
const typed = snippets.filter(({ language }) => language === 'ts');
const run = snippets.filter((one) => !(one.notRun ?? one.runsIn ?? one.shapeOf) && !typed.includes(one));

/** What can't be run by any test, by document. A snippet that joins them says so on its first line: ```js no-run: reason */
const NOT_RUN = {};

/** What else snippets are run in (```js in: a page), and the test that does. */
const RUN_IN = {
  'a page': '__test__/ui/documented-pages.test.mjs',
  "Electron's processes": '__test__/ui/documented-pages.test.mjs',
  PostgreSQL: '__test__/stores/documented-stores.test.mjs',
  'node --test': '__test__/stores/documented-stores.test.mjs',
};

const quoted = (/** @type {string} */ text) => (text.includes("'") ? `"${text}"` : `'${text}'`);

describe('20 B13 the documents’ code', () => {
  /** @type {string} */
  let project;
  /** @type {Awaited<ReturnType<typeof startProvider>>} */
  let provider;
  const started = process.cwd();
  let claims = 0;
  before(async () => {
    project = makeProject();
    copyFileSync(join(repository, '__test__/fixtures/tls/certificate.pem'), join(project, 'ca.pem'));
    for (const { file, code } of run) if (file !== undefined) writeFileSync(join(project, file), code);
    provider = await startProvider({ script: () => ({ text: 'Done.' }) });
    // Tests talk to nobody.
    process.env.MASTRA_TELEMETRY_DISABLED = '1';
    process.env.OPENAI_API_KEY = 'none';
    process.env.ANTHROPIC_API_KEY = 'none';
    process.chdir(project);
  });
  after(() => {
    provider.close();
    process.chdir(started);
    rmSync(project, { recursive: true, force: true });
  });

  for (const snippet of run) {
    const needs22 = snippet.sources.some((source) => source.startsWith('@mastra/')) && !isNode22;
    it(`runs: ${snippet.place}`, { skip: needs22 && 'the SDK asks for Node.js 22' }, async ({ mock }) => {
      const code = snippet.code.replaceAll('https://api.openai.com', provider.url);
      const claimed = (/** @type {unknown} */ value, /** @type {unknown} */ expected) => {
        claims += 1;
        assert.deepEqual(value, expected);
      };
      const names = { ...(await namesFor(snippet, project, provider.url)), claimed };
      /** @type {string[]} */
      const printed = [];
      if (snippet.prints !== undefined) {
        mock.method(console, 'log', (/** @type {unknown[]} */ ...values) => printed.push(`${format(...values)}\n`));
      }
      await runSnippet({ ...snippet, code }, project, names);
      if (snippet.prints !== undefined) assert.equal(printed.join(''), snippet.prints);
      const problems = provider.refused.flatMap((request) => request.problems);
      assert.deepEqual(problems, []);
    });
  }

  it('shows objects whose fields the real ones have', async () => {
    const names = await shapeNames();
    assert.ok(shown.length >= 2);
    for (const { place, code, shapeOf } of shown) {
      const real = new Function(...Object.keys(names), `return ${shapeOf}`)(...Object.values(names));
      assert.deepEqual(shapeDifferences(shownObject(code), real), [], place);
    }
  });

  it('compiles, where it is types', async () => {
    assert.ok(typed.length >= 1);
    assert.equal(await typeErrors(typed), '');
  });

  it('is run in another place by a test that is there', () => {
    for (const { place, runsIn = '' } of snippets.filter(({ runsIn }) => runsIn !== undefined)) {
      const test = /** @type {Record<string, string>} */ (RUN_IN)[runsIn];
      assert.ok(test, `${place}: nothing runs what is in: ${runsIn}`);
      assert.ok(readFileSync(join(repository, test), 'utf8').includes(`snippetsIn(${quoted(runsIn)})`), place);
    }
  });

  it('claims values in comments, which are what comes out', () => {
    assert.ok(claims >= 4, `${claims} were held against what is there`);
  });

  it('is in no document that is not looked at, and in no fence of another name', () => {
    assert.deepEqual(documents().flatMap(unknownFences), []);
    const { stdout } = spawnSync('git', ['ls-files', '*.md'], { cwd: repository, encoding: 'utf8' });
    const others = stdout.split('\n').filter((path) => path !== '' && !documents().includes(path));
    const withCode = others.filter((path) => readFileSync(join(repository, path), 'utf8').includes('```'));
    // The site's home pages repeat what the two READMEs show.
    assert.deepEqual(withCode, ['site/pages/home.md', 'site/pages/home.zh.md']);
    for (const [home, readme] of [
      ['site/pages/home.md', 'README.md'],
      ['site/pages/home.zh.md', 'README.zh.md'],
    ]) {
      const fences = readFileSync(join(repository, home), 'utf8').match(/^```[\s\S]*?^```$/gm) ?? [];
      assert.ok(fences.length >= 2, home);
      for (const fence of fences) assert.ok(readFileSync(join(repository, readme), 'utf8').includes(fence), fence);
    }
  });

  it('is left out for a reason only, which stands in the document', () => {
    /** @type {Record<string, string[]>} */
    const found = {};
    for (const { place, notRun } of snippets) {
      const document = place.replace(/:\d+$/, '');
      if (notRun !== undefined) found[document] = [...(found[document] ?? []), notRun];
    }
    assert.deepEqual(found, NOT_RUN);
    assert.ok(run.length >= 40, `only ${run.length} snippets were found`);
  });
});
