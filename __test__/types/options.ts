import {
  ContextView,
  ContextViews,
  type FileReadOptions,
  formatToolResultForModel,
  type PrepareOptions,
  parseContextLengthError,
  prepareMessages,
  type SimplificationRule,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
  type TerminalOptions,
} from 'palimpsest';
import type { ChatMessage } from './hosts.js';

declare const chat: ChatMessage[];

/** R1: everything at once, and lists that nobody may write to. */
const shells = ['terminal-execute', 'bash'] as const;
const terminal: TerminalOptions = { keepRecent: 3, maxAgeMs: 60_000, terminalTools: shells, now: Date.now() };
simplifyOutdatedTerminalResults(chat, { ...terminal, placeholder: '{tool}', errors: 'seed', countErrors: true });
// @ts-expect-error a number
simplifyOutdatedTerminalResults(chat, { keepRecent: '5' });
// @ts-expect-error milliseconds, not a Date
simplifyOutdatedTerminalResults(chat, { now: new Date() });
// @ts-expect-error a list
simplifyOutdatedTerminalResults(chat, { terminalTools: 'bash' });
// @ts-expect-error for terminal results only 'exitCode' and 'seed'
simplifyOutdatedTerminalResults(chat, { errors: 'status' });
// @ts-expect-error misspelt
simplifyOutdatedTerminalResults(chat, { keepRecents: 5 });
// @ts-expect-error options are an object
simplifyOutdatedTerminalResults(chat, 5);
simplifyOutdatedTerminalResults(chat, { unknownAge: 'old' });
simplifyToolResults(chat, [], { unknownAge: 'keep' });
new ContextView({ unknownAge: 'old' });
// @ts-expect-error 'keep' or 'old'
prepareMessages(chat, { unknownAge: 'new' });
// @ts-expect-error it holds for the whole call, not for one rule of it
prepareMessages(chat, { terminal: { unknownAge: 'old' } });

simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'en' });
// @ts-expect-error a language that there are texts in
simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'de' });

/** R2. */
const reads: FileReadOptions = { readTools: ['Read'], pathKeys: ['file_path'], projectRoot: 'C:\\project' };
simplifyHistoricalFileReads(chat, { ...reads, caseInsensitivePaths: true, keepRecent: 0, placeholder: '', now: 0 });
// @ts-expect-error a list
simplifyHistoricalFileReads(chat, { pathKeys: 'filePath' });
// @ts-expect-error a path, not a URL
simplifyHistoricalFileReads(chat, { projectRoot: { href: 'file:///' } });
simplifyHistoricalFileReads(chat, { maxAgeMs: 1, countErrors: true });
prepareMessages(chat, { fileReads: { maxAgeMs: 1, countErrors: true } });
// @ts-expect-error a number
simplifyHistoricalFileReads(chat, { maxAgeMs: '1' });
// @ts-expect-error a flag
simplifyHistoricalFileReads(chat, { countErrors: 1 });

/** R3b.1: the third preset and rules of one's own. */
simplifyTextSearchResults(chat, { searchTools: ['Grep'], keepRecent: 1, maxAgeMs: 0, placeholder: '-', now: 1 });
// @ts-expect-error of another preset
simplifyTextSearchResults(chat, { terminalTools: ['bash'] });
const rule: SimplificationRule = { name: 'fetched', tools: ['fetch'], placeholder: 'fetched {age} ago, {chars} units' };
const rules: readonly SimplificationRule[] = [
  rule,
  { name: 'by page', tools: ['fetch'], ignoreCase: true, groupBy: { argument: 'url' }, placeholder: '{tool}' },
  { name: 'by path', tools: ['write'], groupBy: 'path', pathKeys: ['to'], keepRecent: 1, placeholder: '{path}' },
  { name: 'old', contentMarkers: ['"stdout":'], recentAmong: 'allTools', errors: 'exitCode', placeholder: '' },
];
simplifyToolResults(chat, rules, { now: 0 });
// @ts-expect-error rules must be given
simplifyToolResults(chat);
// @ts-expect-error a list, even of one
simplifyToolResults(chat, rule);
// @ts-expect-error every rule has a name
simplifyToolResults(chat, [{ tools: ['fetch'], placeholder: '' }]);
// @ts-expect-error every rule says what the content becomes
simplifyToolResults(chat, [{ name: 'fetched', tools: ['fetch'] }]);
// @ts-expect-error no such grouping
simplifyToolResults(chat, [{ name: 'fetched', groupBy: 'url', placeholder: '' }]);
// @ts-expect-error no such way to tell errors
simplifyToolResults(chat, [{ name: 'fetched', errors: 'none', placeholder: '' }]);
// @ts-expect-error text, not a function
simplifyToolResults(chat, [{ name: 'fetched', placeholder: () => '' }]);

/** R3b.2: presets turned off, on, and set. */
const options: PrepareOptions = { orphans: false, terminal: false, fileReads: reads, textSearch: true, rules, now: 0 };
prepareMessages(chat, options);
prepareMessages(chat, { terminal: { errors: 'seed' }, textSearch: { keepRecent: 2 } });
new ContextView({ terminal: { keepRecent: 3 }, rules }).project(chat, { now: 0 });
prepareMessages(chat, { placeholderLanguage: 'en', textSearch: { placeholderLanguage: 'zh' } });
// @ts-expect-error the language of a text of one's own is known to its author
simplifyToolResults(chat, [{ name: 'fetched', placeholder: '', placeholderLanguage: 'en' }]);
// @ts-expect-error orphans are dropped or not; there is nothing to set
prepareMessages(chat, { orphans: {} });
// @ts-expect-error off is `false`
prepareMessages(chat, { terminal: null });
// @ts-expect-error one clock for all rules
prepareMessages(chat, { terminal: { now: 0 } });
new ContextView({ dialect: 'pi' });
// @ts-expect-error no dialect that messages can be read in
new ContextView({ dialect: 'cohere' });
// @ts-expect-error all rules read messages in one dialect
new ContextView({ terminal: { dialect: 'pi' } });
// @ts-expect-error a session's clock goes on: it belongs to each call
new ContextView({ now: 0 });
// @ts-expect-error a session's options are settled when it is made
new ContextView().project(chat, { terminal: false });

/** ISSUE 20.9: what may be left out may be undefined. */
prepareMessages(chat, { now: undefined, terminal: { keepRecent: undefined }, orphans: undefined, rules: undefined });
new ContextView({ price: undefined, maxExtraCost: undefined, repeatedCommands: undefined, tools: undefined });
new ContextView().project(chat, { now: undefined });
new ContextView().prepare(chat, { signal: undefined, model: undefined, maxContextTokens: undefined });
new ContextViews().prepare(chat, { conversationId: 'a', signal: undefined, maxContextTokens: 200_000 });
formatToolResultForModel([{ toolCallId: undefined, success: undefined, metadata: undefined }]);
parseContextLengthError('x', null, { language: undefined });
simplifyOutdatedTerminalResults(chat, { now: undefined, errors: undefined, placeholderLanguage: undefined });
/** ISSUE 20.5: the functions that stand in for a host's own write one of two languages. */
prepareMessages(chat, { placeholderLanguage: 'auto' });
// @ts-expect-error 'zh' or 'en'
simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'auto' });
