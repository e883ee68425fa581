// @ts-check
/** Runs all code in the documents, as a reader would. */
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
const runnable = snippets.filter(
  (snippet) => !(snippet.notRun ?? snippet.runsIn ?? snippet.shapeOf) && !typed.includes(snippet),
);

/** Reasons not to run snippets, by document. Such a snippet's first line is ```js no-run: reason */
const NOT_RUN = {};

/** The test that runs the snippets of each other environment (```js in: a page). */
const RUN_IN = {
  'a page': '__test__/ui/documented-pages.test.mjs',
  "Electron's processes": '__test__/ui/documented-pages.test.mjs',
  PostgreSQL: '__test__/stores/documented-stores.test.mjs',
  'node --test': '__test__/stores/documented-stores.test.mjs',
};

const quoted = (/** @type {string} */ text) => (text.includes("'") ? `"${text}"` : `'${text}'`);

describe('code in documents', () => {
  /** @type {string} */
  let project;
  /** @type {Awaited<ReturnType<typeof startProvider>>} */
  let provider;
  const started = process.cwd();
  let claims = 0;
  before(async () => {
    project = makeProject();
    copyFileSync(join(repository, '__test__/fixtures/tls/certificate.pem'), join(project, 'ca.pem'));
    for (const { file, code } of runnable) if (file !== undefined) writeFileSync(join(project, file), code);
    provider = await startProvider({ script: () => ({ text: 'Done.' }) });
    // Tests contact no service.
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

  for (const snippet of runnable) {
    const needs22 = snippet.sources.some((source) => source.startsWith('@mastra/')) && !isNode22;
    it(`runs without errors, and prints what the document says: ${snippet.place}`, {
      skip: needs22 && 'the SDK asks for Node.js 22',
    }, async ({ mock }) => {
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

  it('shows only fields that the real objects have', async () => {
    const names = await shapeNames();
    assert.ok(shown.length >= 2);
    for (const { place, code, shapeOf } of shown) {
      const real = new Function(...Object.keys(names), `return ${shapeOf}`)(...Object.values(names));
      assert.deepEqual(shapeDifferences(shownObject(code), real), [], place);
    }
  });

  it('compiles if it is TypeScript', async () => {
    assert.ok(typed.length >= 1);
    assert.equal(await typeErrors(typed), '');
  });

  it('is run by an existing test if it is for another environment', () => {
    for (const { place, runsIn = '' } of snippets.filter(({ runsIn }) => runsIn !== undefined)) {
      const test = /** @type {Record<string, string>} */ (RUN_IN)[runsIn];
      assert.ok(test, `${place}: nothing runs what is in: ${runsIn}`);
      assert.ok(readFileSync(join(repository, test), 'utf8').includes(`snippetsIn(${quoted(runsIn)})`), place);
    }
  });

  it('has comments with values, of which at least four were compared with the real ones', () => {
    assert.ok(claims >= 4, `${claims} values were compared`);
  });

  it('is only in documents and fences that this test reads', () => {
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

  it('is left out only for a reason that the document and NOT_RUN name', () => {
    /** @type {Record<string, string[]>} */
    const found = {};
    for (const { place, notRun } of snippets) {
      const document = place.replace(/:\d+$/, '');
      if (notRun !== undefined) found[document] = [...(found[document] ?? []), notRun];
    }
    assert.deepEqual(found, NOT_RUN);
    assert.ok(runnable.length >= 40, `only ${runnable.length} snippets were found`);
  });
});
