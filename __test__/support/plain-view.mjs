// @ts-check
/** Views for tests that compare `ContextView` with `prepareMessages`. */
import { ContextView } from 'palimpsest';

/** The shell tools that the drop-in functions know. */
const SHELLS = [
  'terminal-execute bash shell sh zsh powershell exec_command execute_command execute_bash execute_shell_command',
  'run_command run_bash run_shell run_shell_command run_terminal_cmd run_terminal_command run_in_terminal local_shell',
  'local_shell_call shell_command terminal container.exec',
].flatMap((names) => names.split(' '));

/**
 * A view that makes the same decisions as `prepareMessages`: without a cache nothing is pending, and it has the drop-in
 * functions' tools.
 * @param {any} [options]
 */
export function plainView({ terminal = {}, fileReads = {}, ...options } = {}) {
  return new ContextView({
    price: 'none',
    outdatedBy: 'age',
    orphans: 'remove',
    textSearch: false,
    ...options,
    terminal: terminal && { terminalTools: SHELLS, ...terminal },
    fileReads: fileReads && { readTools: ['filesystem-read'], pathKeys: ['filePath'], ...fileReads },
  });
}
