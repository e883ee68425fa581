import { type CleanupReport, prepareMessages, type RuleReport, setLogger, type version } from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage } from './hosts.js';

declare const chat: ChatMessage[];

/** R3b.3: a report is read-only. */
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
// @ts-expect-error only an estimate: `estimatedTokensSaved`
report.tokensSaved;

/** The application may add to the returned array. */
messages.push({ role: 'user', content: 'and now?' });

/** R9.1: loggers of applications. */
declare const consoleLike: Record<'debug' | 'info' | 'warn' | 'error', (...values: unknown[]) => void>;
declare const pinoLike: Record<'debug' | 'info' | 'warn' | 'error', (fields: object, text?: string) => void>;
setLogger(consoleLike);
setLogger({ ...pinoLike, child: (bindings: object) => bindings });
setLogger({ ...pinoLike, bindings: () => ({}) });
setLogger(pinoLike, { logStyle: 'fields-first' });
setLogger({ warn: (message, fields) => message.concat(Object.keys(fields).join()) });
setLogger({ warn: (fields, message) => message.concat(Object.keys(fields).join()) }, { logStyle: 'fields-first' });
// Loggers that take a message and data.
declare const messageLogger: Record<'debug' | 'info' | 'warn' | 'error', (message: string, data?: unknown) => void>;
setLogger(messageLogger);
setLogger(messageLogger, { logStyle: 'message-first' });
// @ts-expect-error a logger that takes fields first needs `logStyle`
setLogger(pinoLike);
// @ts-expect-error no such style
setLogger(messageLogger, { logStyle: 'pino' });
setLogger({});
setLogger(null);
// @ts-expect-error null turns logs off
setLogger(undefined);
// @ts-expect-error methods of a logger are functions
setLogger({ warn: true });
expectTrue<Same<typeof version, string>>();
