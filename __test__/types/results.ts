import {
  type ContextLengthExceededError,
  formatToolResultForModel,
  getMaxOutputLimit,
  parseContextLengthError,
  runWithProgress,
  sanitizeToolResult,
  sanitizeToolResults,
  sanitizeToolResultsJson,
  type ToolProgressUpdate,
  ToolTimeoutError,
  toolTimeouts,
  trimEmptyLines,
  truncateOutput,
} from 'palimpsest';
import { sanitizeToolResultForHistory } from 'palimpsest/messageCleanup';
import { expectTrue, type Same } from './expect.js';
import type { Message, ToolResult } from './hosts.js';

declare const results: ToolResult[];
declare const message: Message;

// The application's own type is returned.
expectTrue<Same<ReturnType<typeof sanitizeToolResult<ToolResult>>, ToolResult>>();
message.toolResults = sanitizeToolResults(results);
message.toolResults = results.map((result) => sanitizeToolResultForHistory(result));
message.content = sanitizeToolResultsJson(message.content, { largeDataFields: ['thumbnail'] as const });
message.content = formatToolResultForModel(results);
// @ts-expect-error a result is an object
sanitizeToolResult('text');

message.content = truncateOutput(trimEmptyLines('text'), getMaxOutputLimit());
for (const keep of ['head', 'tail', 'both', 'errors'] as const) truncateOutput('text', { keep, limit: 5 });
// @ts-expect-error no such mode
truncateOutput('text', { keep: 'middle' });

const overflow = parseContextLengthError(new Error('text'), 'deepseek', { language: 'en' });
if (overflow !== null) {
  expectTrue<Same<typeof overflow, ContextLengthExceededError>>();
  expectTrue<Same<typeof overflow.code, 'CONTEXT_LENGTH_EXCEEDED'>>();
  expectTrue<Same<typeof overflow.requestedTokens, number | null>>();
}
expectTrue<Same<ConstructorParameters<typeof ContextLengthExceededError>[2], string>>();

export async function generate(emit: (progress: ToolProgressUpdate) => void): Promise<string> {
  const stages = [{ stage: 'init', message: '…', progress: 5 }, { stage: 'complete' }];
  const options = { tool: 'image_generate', emit, stages, timeoutMs: toolTimeouts.cloudProxy };
  try {
    return await runWithProgress(options, async ({ signal, stage }) => {
      stage('generating');
      return signal.aborted ? '' : 'png';
    });
  } catch (error) {
    if (error instanceof ToolTimeoutError) return error.tool;
    throw error;
  }
}
