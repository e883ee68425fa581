// @ts-check
'use strict';

const { missingPackage, otherVersion, unloadable, unsupportedPlatform } = require('./native-error.js');
const { ownFile } = require('./native-location.js');
const { currentPlatform, PLATFORMS } = require('./native-platform.js');
const { fs, nodeModule, path } = require('./node-modules.js');
const { version } = require('./version.js');

/** @typedef {'palimpsest' | 'palimpsest-cli'} AddonName the addon's file and its packages begin with it */

/** @type {Readonly<Record<AddonName, string>>} the variable that names the file on other platforms */
const VARIABLES = { palimpsest: 'PALIMPSEST_NATIVE_PATH', 'palimpsest-cli': 'PALIMPSEST_CLI_NATIVE_PATH' };

/** Read when the module is evaluated: a later call's stack may have no frame of a file, if a bundler evaluates code from strings. */
const OWN_FILE = ownFile();

/**
 * Finds the addon: a file next to this code or in its parent folder, where a checkout's build puts it; else the platform's package, resolved from
 * here or from the installed package that depends on it, because pnpm and Yarn expose it only to the latter. The current directory is never
 * searched: agents are started in untrusted repositories, and this is native code.
 * @param {AddonName} addon @param {string} platform @param {readonly string[]} places absolute paths, of this code first
 * @returns {string} absolute
 * @throws where there is none
 */
function findAddon(addon, platform, places) {
  if (!PLATFORMS.includes(platform)) throw unsupportedPlatform(platform);
  const [from = ''] = places;
  const file = `${addon}.${platform}.node`;
  const folder = path.dirname(from);
  const built = [folder, path.dirname(folder)].map((place) => path.join(place, file)).find(fs.existsSync);
  if (built !== undefined) return built;
  const name = `${addon}-${platform}`;
  /** @type {unknown} */ let cause;
  for (const { resolve } of places.map((place) => nodeModule.createRequire(place))) {
    for (const find of [
      () => resolve(name),
      () => nodeModule.createRequire(resolve(`${addon}/package.json`)).resolve(name),
    ]) {
      try {
        return find();
      } catch (error) {
        cause ??= error;
      }
    }
  }
  throw missingPackage(addon, platform, name, version, from, cause);
}

/** @param {AddonName} addon @param {string} platform @param {readonly string[]} places @returns {string} absolute */
function addonPath(addon, platform, places) {
  try {
    return findAddon(addon, platform, places);
  } catch (error) {
    // Read the environment only if needed: importing the package must not read anything else of it.
    const named = process.env[VARIABLES[addon]];
    if (!named) throw error;
    return path.resolve(named);
  }
}

/**
 * @param {AddonName} addon @param {string} [user] absolute path of another file from which the platform's package may be resolved
 * @returns {any} what the addon exports
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function loadAddon(addon, user) {
  const platform = currentPlatform();
  const from = OWN_FILE;
  const file = addonPath(addon, platform, user === undefined ? [from] : [from, user]);
  /** @type {{ addonVersion?: () => string }} */ let loaded;
  try {
    // Hides this `require` from bundlers, none of which can handle a .node file.
    loaded = nodeModule.createRequire(from)(file);
  } catch (error) {
    throw unloadable(platform, file, error);
  }
  const found = loaded.addonVersion?.() ?? 'of another version';
  if (found !== version) throw otherVersion(file, found, version);
  return loaded;
}

module.exports = { loadAddon };
