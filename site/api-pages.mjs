// @ts-check
/** Generates one Markdown page for each member of the package's API from the published declarations. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Application, Converter } from 'typedoc';
import { entries, repository } from './pages.mjs';

const folder = join(repository, 'build', 'site-api');

/**
 * Writes the pages.
 * @throws {Error} if TypeDoc reports a problem, such as a type that can't be imported or a broken link
 */
async function makeApiPages() {
  rmSync(folder, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins(/** @type {any} */ (options()));
  const names = entries().map(({ name }) => name);
  // TypeDoc names modules after files; rename them to the name that users import.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const [index, module] of (project.children ?? []).entries()) module.name = names[index] ?? module.name;
  });
  const project = await app.convert();
  if (project !== undefined) {
    app.validate(project);
    await app.generateOutputs(project);
  }
  if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new Error('TypeDoc found what it says above');
  // Remove the generated list of modules, since docs/api.md replaces it.
  rmSync(join(folder, 'index.md'));
}

function options() {
  return {
    entryPoints: entries().map(({ types }) => join(repository, types)),
    tsconfig: join(repository, 'site', 'tsconfig.json'),
    plugin: ['typedoc-plugin-markdown'],
    out: folder,
    name: 'palimpsest',
    readme: 'none',
    logLevel: 'Warn',
    sort: ['source-order'],
    sortEntryPoints: false,
    // `npm test` type-checks them with the repository's compiler, which is newer than TypeDoc's.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    entryFileName: 'index',
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    parametersFormat: 'table',
    sanitizeComments: true,
    pageTitleTemplates: { member: '{name}', module: '{name}' },
    intentionallyNotExported: ['MakeContextMiddleware'],
  };
}

await makeApiPages();
