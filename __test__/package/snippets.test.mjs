// @ts-check
/** Every piece of code in the documents is run, as a reader would run it. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startProvider } from '../../examples/provider/provider.mjs';
import { CHINESE_PAGES } from '../../scripts/chinese-pages.mjs';
import { isNode22 } from '../../scripts/node-22.mjs';
import { repository } from '../support/children.mjs';
import { namesFor } from '../support/snippet-names.mjs';
import { documents, makeProject, runSnippet, snippetsOf, unknownFences } from '../support/snippets.mjs';

/** What Chinese pages show is the code of the English ones: docs/chinese-pages.test.mjs. */
const chinese = [...CHINESE_PAGES.values()];
const snippets = documents()
  .filter((path) => !chinese.includes(path))
  .flatMap(snippetsOf);
const run = snippets.filter(({ notRun }) => notRun === undefined);

/** What can't be run here, by document. A snippet that joins them says so on its first line: ```js no-run: reason */
const NOT_RUN = {
  'docs/compression.md': ['an object, no program', 'an object, with parts left out'],
  'docs/elements.md': [
    "Electron's processes",
    'on a page',
    'on a page',
    'on a page',
    'types, which __test__/types compiles',
  ],
  'docs/messages.md': ['two messages, no program'],
  'docs/stores.md': ['wants a server', 'tests of your own'],
};

describe('20 B13 the documents’ code', () => {
  /** @type {string} */
  let project;
  /** @type {Awaited<ReturnType<typeof startProvider>>} */
  let provider;
  const started = process.cwd();
  before(async () => {
    project = makeProject();
    copyFileSync(join(repository, '__test__/fixtures/tls/certificate.pem'), join(project, 'ca.pem'));
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
    it(`runs: ${snippet.place}`, { skip: needs22 && 'the SDK asks for Node.js 22' }, async () => {
      const code = snippet.code.replaceAll('https://api.openai.com', provider.url);
      await runSnippet({ ...snippet, code }, project, await namesFor(snippet, project, provider.url));
      const problems = provider.refused.flatMap((request) => request.problems);
      assert.deepEqual(problems, []);
    });
  }

  it('is in no document that is not looked at, and in no fence of another name', () => {
    assert.deepEqual(documents().flatMap(unknownFences), []);
    const { stdout } = spawnSync('git', ['ls-files', '*.md'], { cwd: repository, encoding: 'utf8' });
    const others = stdout.split('\n').filter((path) => path !== '' && !documents().includes(path));
    const withCode = others.filter((path) => readFileSync(join(repository, path), 'utf8').includes('```'));
    assert.deepEqual(withCode, []);
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
