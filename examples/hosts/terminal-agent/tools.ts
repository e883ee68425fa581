import type { ToolCall } from './chatMessage.js';
import { truncateOutput } from './outputTruncation.js';

/** Simulates a shell and a file system: the same output for the same arguments. */
export function runTool(call: ToolCall): string {
  const given = JSON.parse(call.function.arguments) as { command?: string; filePath?: string };
  if (call.function.name === 'filesystem-read') {
    return lines(40, (line) => `${line}\t${given.filePath}: the source of line ${line}`);
  }
  const stdout = truncateOutput(
    lines(given.command === 'cat build.log' ? 5000 : 30, (line) => `${given.command}: ${line}`),
  );
  return JSON.stringify({ stdout, stderr: '', exitCode: 0 });
}

function lines(count: number, write: (line: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index + 1)).join('\n');
}
