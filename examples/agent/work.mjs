// @ts-check
/**
 * The script of the example agents' model: a long task in a folder, as agents do it. It reads, edits and runs files,
 * and reads changed files again. Each step is determined by its number.
 */

/** @typedef {import('../provider/provider.mjs').Turn} Turn */

export const TASK = 'The parser must accept comments. Change it, file by file, and see to it that the checks pass.';
export const SYSTEM = 'You are a careful engineer. Read before you edit, and run the checks after each edit.';
export const STEPS = 120;
const FILES = ['src/parser.js', 'src/lexer.js', 'test/cases.txt'];

/** Files of a few kilobytes each for the agent's folder. @returns {Map<string, string>} text by path */
export function project() {
  return new Map(
    FILES.map((path, file) => {
      const line = (/** @type {number} */ number) =>
        `export const rule_${file}_${number} = (input) => accept(input, ${number}); // as in section ${number % 12}`;
      return [path, `${Array.from({ length: 70 }, (_, number) => line(number)).join('\n')}\n`];
    }),
  );
}

/**
 * The script.
 * @param {number} [steps] number of steps after which the model is done @returns {(step: number) => Turn}
 */
export function work(steps = STEPS) {
  return (step) => {
    if (step >= steps) return { text: 'Comments are accepted now, and all checks pass.' };
    const path = /** @type {string} */ (FILES[Math.floor(step / 3) % FILES.length]);
    if (step % 3 === 0) return { text: `I look at ${path}.`, calls: [{ name: 'read_file', arguments: { path } }] };
    if (step % 3 === 1) {
      const edit = { path, find: 'accept(input', replace: `accept(skip(input, ${step})` };
      return { text: '', calls: [{ name: 'edit_file', arguments: edit }] };
    }
    const command =
      step % 9 === 8 ? 'cat src/missing.js' : 'wc -l src/*.js test/*.txt && grep -n skip src/*.js; tail -n 40 src/*.js';
    return { text: '', calls: [{ name: 'run_command', arguments: { command } }] };
  };
}
