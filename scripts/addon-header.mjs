// @ts-check
/** Reads the header of a built addon: its platform, and the glibc versions it requires. */

const ELF_MACHINES = new Map([
  [0x3e, 'x64'],
  [0xb7, 'arm64'],
]);
const MACH_O_MACHINES = new Map([
  [0x01000007, 'x64'],
  [0x0100000c, 'arm64'],
]);
const PE_MACHINES = new Map([
  [0x8664, 'x64'],
  [0xaa64, 'arm64'],
]);
const MACH_O_64 = 0xfeedfacf;
/** Offset of the field that holds the offset of the PE header. */
const PE_OFFSET = 0x3c;

/** @param {Buffer} addon @returns {string[]} such as `2.17`, ascending; empty if it isn't linked with glibc */
export function glibcVersions(addon) {
  const found = [...addon.toString('latin1').matchAll(/GLIBC_(\d+\.\d+(?:\.\d+)?)\0/g)].map(
    ([, version = '']) => version,
  );
  return [...new Set(found)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** @param {Buffer} addon @param {ReadonlyMap<number, string>} machines @param {number} machine */
function processor(addon, machines, machine) {
  return machines.get(machine) ?? `unknown (${machine.toString(16)}, ${addon.length} bytes)`;
}

/**
 * @param {Buffer} addon
 * @returns {string} its platform, as in package names (`linux-x64-gnu`), or what the file is instead
 */
export function builtFor(addon) {
  if (addon.length < 64) return `no addon: ${addon.length} bytes`;
  if (addon.toString('latin1', 0, 4) === '\x7fELF') {
    const libc = glibcVersions(addon).length > 0 ? 'gnu' : 'musl';
    return `linux-${processor(addon, ELF_MACHINES, addon.readUInt16LE(18))}-${libc}`;
  }
  if (addon.readUInt32LE(0) === MACH_O_64) return `darwin-${processor(addon, MACH_O_MACHINES, addon.readUInt32LE(4))}`;
  if (addon.toString('latin1', 0, 2) === 'MZ') {
    const machine = addon.readUInt16LE(Math.min(addon.readUInt32LE(PE_OFFSET) + 4, addon.length - 2));
    return `win32-${processor(addon, PE_MACHINES, machine)}-msvc`;
  }
  return 'no addon: neither ELF nor Mach-O nor PE';
}
