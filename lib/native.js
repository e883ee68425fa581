// @ts-check
'use strict';

const { missingPackage, otherVersion, unloadable, unsupportedPlatform } = require('./native-error.js');
const { ownFile } = require('./native-location.js');
const { currentPlatform, PLATFORMS } = require('./native-platform.js');
const { fs, nodeModule, path } = require('./node-modules.js');
const { version } = require('./version.js');

/** @typedef {typeof import('../binding.js')} Addon */

/**
 * Finds the addon: a file next to this code or in its parent folder, where a checkout's build puts it; else the platform's package, resolved from
 * here or from the installed palimpsest, because pnpm and Yarn expose it only to the latter. The current directory is never searched: agents are
 * started in untrusted repositories, and this is native code.
 * @param {string} platform @param {string} from absolute path of this code @returns {string} absolute
 * @throws where there is none
 */
function findAddon(platform, from) {
  if (!PLATFORMS.includes(platform)) throw unsupportedPlatform(platform);
  const file = `palimpsest.${platform}.node`;
  const folder = path.dirname(from);
  const built = [folder, path.dirname(folder)].map((place) => path.join(place, file)).find(fs.existsSync);
  if (built !== undefined) return built;
  const name = `palimpsest-${platform}`;
  const { resolve } = nodeModule.createRequire(from);
  try {
    return resolve(name);
  } catch (error) {
    try {
      return nodeModule.createRequire(resolve('palimpsest/package.json')).resolve(name);
    } catch {
      throw missingPackage(platform, name, version, from, error);
    }
  }
}

/** @param {string} platform @param {string} from @returns {string} absolute */
function addonPath(platform, from) {
  try {
    return findAddon(platform, from);
  } catch (error) {
    // Read the environment only if needed: importing the package must not read anything else of it.
    const named = process.env.PALIMPSEST_NATIVE_PATH;
    if (!named) throw error;
    return path.resolve(named);
  }
}

/** @returns {Addon} @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'` */
function loadAddon() {
  const platform = currentPlatform();
  const from = ownFile();
  const file = addonPath(platform, from);
  /** @type {Addon} */ let addon;
  try {
    // Hides this `require` from bundlers, none of which can handle a .node file.
    addon = nodeModule.createRequire(from)(file);
  } catch (error) {
    throw unloadable(platform, file, error);
  }
  const found = addon.addonVersion?.() ?? 'of another version';
  if (found !== version) throw otherVersion(file, found, version);
  return addon;
}

module.exports = loadAddon();
