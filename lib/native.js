// @ts-check
'use strict';

const { missingPackage, otherVersion, unloadable, unsupportedPlatform } = require('./native-error.js');
const { ownFile } = require('./native-location.js');
const { currentPlatform, PLATFORMS } = require('./native-platform.js');
const { fs, nodeModule, path } = require('./node-modules.js');
const { version } = require('./version.js');

/** @typedef {typeof import('../binding.js')} Addon */

/**
 * The addon is a file beside this code or in the folder above it, as a checkout's build leaves it; else in the platform's package, as
 * seen from here or from the installed palimpsest: pnpm and Yarn show it to the latter alone. The current directory is never
 * searched: an agent is started in the repositories of strangers, and this is native code.
 * @param {string} platform @param {string} from absolute path of this code @returns {string} absolute @throws where there is none
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
    // Importing the package must read nothing of the environment that it doesn't need.
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
    // No bundler follows this `require`: none has a way with a .node file.
    addon = nodeModule.createRequire(from)(file);
  } catch (error) {
    throw unloadable(platform, file, error);
  }
  const found = addon.addonVersion?.() ?? 'of another version';
  if (found !== version) throw otherVersion(file, found, version);
  return addon;
}

module.exports = loadAddon();
