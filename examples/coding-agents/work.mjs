// @ts-check
/** The script of a coding agent's model: for each prompt it reads, edits and runs files with the agent's own tools. */

/** @typedef {import('../provider/provider.mjs').Turn} Turn */
/** @typedef {import('../provider/provider.mjs').ParsedRequest} ParsedRequest */

export const PROMPTS = 8;
/** Steps of a prompt. */
const STEPS = 15;

/** Content of a file in the agent's folder. @param {number} number */
export const fileText = (number) =>
  Array.from(
    { length: 120 },
    (_, line) => `export const rule_${number}_${line} = accept(input, ${line}); // §${line % 12}`,
  )
    .join('\n')
    .concat('\n');

/**
 * The model's script: each prompt takes a fixed number of steps, then gets a reply.
 * @param {{ read: (path: string) => { name: string, arguments: object }, run: (command: string) => { name: string, arguments: object } }} tools
 * @param {boolean} isRepetitive true if the checks are one command, run again and again
 * @returns {(step: number, parsed: ParsedRequest) => Turn}
 */
export function scriptFor({ read, run }, isRepetitive) {
  let step = -1;
  return (_, parsed) => {
    if (isSideRequest(parsed))
      return { text: '## Goal\nThe parser accepts comments.\n\n## Done\nWhat was asked for so far.' };
    step++;
    const stepOfPrompt = step % (STEPS + 1);
    const prompt = Math.floor(step / (STEPS + 1));
    if (stepOfPrompt === STEPS) return { text: `Prompt ${prompt} is done: all checks pass.` };
    const path = `src/part-${(prompt + Math.floor(stepOfPrompt / 5)) % 4}.js`;
    if (stepOfPrompt % 5 === 0) return { text: `I look at ${path}.`, calls: [read(path)] };
    if (stepOfPrompt % 5 === 1)
      return {
        calls: [
          run(`sed -i 's/accept(input, ${stepOfPrompt + prompt})/accept(skip(input), ${stepOfPrompt})/' ${path}`),
        ],
      };
    if (stepOfPrompt % 5 === 2) return { calls: [run(`grep -n skip ${path}; true`)] };
    return { calls: [run(`echo check${isRepetitive ? '' : ` ${step}`}; cat src/part-*.js | tail -n 150`)] };
  };
}

/**
 * True if the agent sends a side request, such as one for a summary of messages that it will drop.
 * @param {ParsedRequest} parsed
 */
function isSideRequest({ prefix }) {
  return !prefix.some((/** @type {any} */ part) => part.input_schema ?? part.parameters ?? part.function);
}
