import { type CleanupReport, prepareMessages, type RuleReport, setLogger, type version } from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage } from './hosts.js';

declare const chat: ChatMessage[];

/** R3b.3: a report says what was done, and it is not the host's to write to. */
const { messages, report } = prepareMessages(chat);
expectTrue<Same<typeof report, CleanupReport>>();
expectTrue<Same<typeof report.indices, readonly number[]>>();
const figures: number[] = [report.changed, report.unitsRemoved, report.estimatedTokensSaved, ...report.indices];
const terminal: RuleReport | undefined = report.byRule.terminal;
const ofOnePath: number | undefined = report.byRule.fileReads?.byPath?.['src/index.ts']?.unitsRemoved;
export const used = [figures, terminal, ofOnePath];
// @ts-expect-error read-only
report.changed = 0;
// @ts-expect-error read-only
report.indices.push(1);
// @ts-expect-error read-only
report.indices = [];
// @ts-expect-error read-only
report.byRule.mine = report.byRule.terminal!;
// @ts-expect-error read-only
report.byRule.terminal!.changed = 0;
// @ts-expect-error read-only
report.byRule.fileReads!.byPath!['src/index.ts'] = { changed: 0, unitsRemoved: 0 };
// @ts-expect-error the package counts no tokens here, it estimates
report.tokensSaved;

/** The array belongs to the host: what it sends, it may still add to. */
messages.push({ role: 'user', content: 'and now?' });

/** R9.1: loggers as hosts have them. */
declare const consoleLike: Record<'debug' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>;
declare const pinoLike: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, text?: string) => void>;
setLogger(consoleLike);
setLogger({ ...pinoLike, child: (bindings: object) => bindings });
setLogger({ ...pinoLike, bindings: () => ({}) });
setLogger(pinoLike, { logStyle: 'fields-first' });
setLogger({ warn: (message, fields) => message.concat(Object.keys(fields).join()) });
setLogger({ warn: (fields, message) => message.concat(Object.keys(fields).join()) }, { logStyle: 'fields-first' });
// The agent server's and the terminal agent's loggers.
declare const hostLogger: Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: unknown) => void>;
setLogger(hostLogger);
setLogger(hostLogger, { logStyle: 'message-first' });
// @ts-expect-error fields first is to be said, or seen
setLogger(pinoLike);
// @ts-expect-error a style that doesn't exist
setLogger(hostLogger, { logStyle: 'pino' });
setLogger({});
setLogger(null);
// @ts-expect-error turned off on purpose, not by a variable that was never set
setLogger(undefined);
// @ts-expect-error a logger has methods
setLogger({ warn: true });
expectTrue<Same<typeof version, string>>();
