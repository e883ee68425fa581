// @ts-check
/**
 * Writes a release's bills of materials as CycloneDX: one file per addon with the crates linked into it, and
 * one with the npm development dependencies (the package has no others). Uses the same list as `THIRD-PARTY-LICENSES`;
 * `cargo-cyclonedx` would include build and test dependencies.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADDONS } from './addons.mjs';
import { mainManifest, platformOf, repository } from './platform-packages.mjs';
import { linkedCrates, metadataFor } from './third-party-licenses.mjs';

/** Checksums of crates. @returns {Map<string, string>} SHA-256 by `name version` */
function checksums() {
  const lock = readFileSync(join(repository, 'Cargo.lock'), 'utf8').replaceAll('\r\n', '\n');
  const entry = /name = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"/g;
  return new Map([...lock.matchAll(entry)].map(([, name, version, sum = '']) => [`${name} ${version}`, sum]));
}

/**
 * An addon's bill of materials.
 * @param {string} target Rust target triple @param {import('./addons.mjs').AddonName} name
 * @returns {object} CycloneDX 1.5
 */
export function addonBom(target, name) {
  const { version, license } = mainManifest();
  const { platform } = platformOf(target);
  const sums = checksums();
  const component = (/** @type {import('./third-party-licenses.mjs').Crate} */ crate) => {
    const content = sums.get(`${crate.name} ${crate.version}`);
    if (content === undefined) throw new Error(`Cargo.lock has no checksum of ${crate.name} ${crate.version}`);
    const purl = `pkg:cargo/${crate.name}@${crate.version}`;
    return {
      type: 'library',
      'bom-ref': purl,
      name: crate.name,
      version: crate.version,
      purl,
      hashes: [{ alg: 'SHA-256', content }],
      // Some crates separate alternatives by a slash, which SPDX doesn't have.
      licenses: [{ expression: (crate.license ?? 'NOASSERTION').replaceAll(/\s*\/\s*/g, ' OR ') }],
    };
  };
  const root = `pkg:npm/${name}-${platform}@${version}`;
  const components = linkedCrates(metadataFor(target), name).map(component);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'library',
        'bom-ref': root,
        name: `${name}-${platform}`,
        version,
        purl: root,
        licenses: [{ expression: license }],
      },
    },
    components: components.sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    dependencies: [{ ref: root, dependsOn: components.map(({ purl }) => purl) }],
  };
}

/** @returns {string} npm's bill of materials for the lockfile */
function developmentBom() {
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const options = { cwd: repository, encoding: /** @type {const} */ ('utf8'), shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync('npm', args, { ...options, maxBuffer: 256 * 1024 * 1024 });
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  return stdout;
}

/** @param {string} folder to create */
export function writeBoms(folder) {
  mkdirSync(folder, { recursive: true });
  const { name, napi } = mainManifest();
  for (const target of napi.targets) {
    for (const addon of ADDONS) {
      const file = join(folder, `${addon.name}-${platformOf(target).platform}.cdx.json`);
      writeFileSync(file, `${JSON.stringify(addonBom(target, addon.name), null, 2)}\n`);
    }
  }
  writeFileSync(join(folder, `${name}-development.cdx.json`), developmentBom());
}
