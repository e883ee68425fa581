// @ts-check
/** `palimpsest completion`: prints a shell script that completes the commands, and the options in the help texts. */
import { commands } from '../command-line.mjs';
import { UsageError } from '../option-values.mjs';
import { printOut } from '../print.mjs';

export const help = `Usage: palimpsest completion <bash|zsh|fish>

Prints a script that completes the command’s words in that shell:

  bash  echo 'source <(palimpsest completion bash)' >> ~/.bashrc
  zsh   echo 'source <(palimpsest completion zsh)' >> ~/.zshrc
  fish  palimpsest completion fish > ~/.config/fish/completions/palimpsest.fish

Options:
  -h, --help  show this
`;

/** @typedef {{ name: string, summary: string, help: string, flags: string }} DescribedCommand `flags`: `--a --b` */

const optionPattern = /^ {2}(?:-\w, )?--(?<option>[\w-]+)(?<value> <)?/gm;

/** @returns {Promise<DescribedCommand[]>} */
function describedCommands() {
  const all = [...commands].map(async ([name, { summary, load }]) => {
    const { help } = await load();
    const flags = Array.from(help.matchAll(optionPattern), ({ groups }) => `--${groups?.option}`);
    return { name, summary, help, flags: flags.join(' ') };
  });
  return Promise.all(all);
}

/** The shell completes file names itself. @param {readonly DescribedCommand[]} all */
function bash(all) {
  const cases = all.map(({ name, flags }) => `    ${name}) words='${flags}' ;;`);
  return `_palimpsest() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words=''
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${all.map(({ name }) => name).join(' ')} --help --version'
  elif [ "\${current#-}" = "$current" ]; then return; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -o bashdefault -F _palimpsest palimpsest
`;
}

/** @param {readonly DescribedCommand[]} all */
function zsh(all) {
  const cases = all.map(({ name, flags }) => `    ${name}) compadd -- ${flags} ;;`);
  return `#compdef palimpsest
_palimpsest() {
  if (( CURRENT == 2 )); then
    compadd -- ${all.map(({ name }) => name).join(' ')} --help --version
  elif [[ $words[CURRENT] != -* ]]; then
    _files
  else case $words[2] in
${cases.join('\n')}
  esac; fi
}
compdef _palimpsest palimpsest
`;
}

/** @param {readonly DescribedCommand[]} all */
function fish(all) {
  const lines = all.flatMap(({ name, summary, help }) => [
    `__fish_use_subcommand -f -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
    ...Array.from(help.matchAll(optionPattern), ({ groups }) => {
      return `'__fish_seen_subcommand_from ${name}' -l ${groups?.option}${groups?.value ? ' -r' : ''}`;
    }),
  ]);
  return lines.map((line) => `complete -c palimpsest -n ${line}\n`).join('');
}

const shells = new Map(Object.entries({ bash, zsh, fish }));

export const options = { help: Boolean };

/** @type {import('../command-line.mjs').Work} */
export async function work(_, words) {
  const scriptOf = words.length === 1 ? shells.get(words[0] ?? '') : undefined;
  const known = [...shells.keys()].join(', ');
  if (scriptOf === undefined) throw new UsageError(`expected one of ${known}; got “${words.join(' ')}”`);
  printOut(scriptOf(await describedCommands()));
}
