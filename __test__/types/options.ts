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

/** R1: all options, and readonly lists. */
const shells = ['terminal-execute', 'bash'] as const;
const terminal: TerminalOptions = { keepRecent: 3, maxAgeMs: 60_000, terminalTools: shells, now: Date.now() };
simplifyOutdatedTerminalResults(chat, { ...terminal, placeholder: '{tool}', errors: 'seed', countErrors: true });
// @ts-expect-error the option is a number
simplifyOutdatedTerminalResults(chat, { keepRecent: '5' });
// @ts-expect-error `now` is in milliseconds
simplifyOutdatedTerminalResults(chat, { now: new Date() });
// @ts-expect-error the option is a list
simplifyOutdatedTerminalResults(chat, { terminalTools: 'bash' });
// @ts-expect-error terminal results have only 'exitCode' and 'seed'
simplifyOutdatedTerminalResults(chat, { errors: 'status' });
// @ts-expect-error no such option
simplifyOutdatedTerminalResults(chat, { keepRecents: 5 });
// @ts-expect-error options are an object
simplifyOutdatedTerminalResults(chat, 5);
simplifyOutdatedTerminalResults(chat, { unknownAge: 'old' });
simplifyToolResults(chat, [], { unknownAge: 'keep' });
new ContextView({ unknownAge: 'old' });
// @ts-expect-error 'keep' or 'old'
prepareMessages(chat, { unknownAge: 'new' });
// @ts-expect-error an option of the call, not of one rule
prepareMessages(chat, { terminal: { unknownAge: 'old' } });

simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'en' });
// @ts-expect-error no such language
simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'de' });

/** R2. */
const reads: FileReadOptions = { readTools: ['Read'], pathKeys: ['file_path'], projectRoot: 'C:\\project' };
simplifyHistoricalFileReads(chat, { ...reads, caseInsensitivePaths: true, keepRecent: 0, placeholder: '', now: 0 });
// @ts-expect-error the option is a list
simplifyHistoricalFileReads(chat, { pathKeys: 'filePath' });
// @ts-expect-error `projectRoot` is a string
simplifyHistoricalFileReads(chat, { projectRoot: { href: 'file:///' } });
simplifyHistoricalFileReads(chat, { maxAgeMs: 1, countErrors: true });
prepareMessages(chat, { fileReads: { maxAgeMs: 1, countErrors: true } });
// @ts-expect-error the option is a number
simplifyHistoricalFileReads(chat, { maxAgeMs: '1' });
// @ts-expect-error the option is a boolean
simplifyHistoricalFileReads(chat, { countErrors: 1 });

/** R3b.1: the third preset, and own rules. */
simplifyTextSearchResults(chat, { searchTools: ['Grep'], keepRecent: 1, maxAgeMs: 0, placeholder: '-', now: 1 });
// @ts-expect-error an option of another preset
simplifyTextSearchResults(chat, { terminalTools: ['bash'] });
const rule: SimplificationRule = { name: 'fetched', tools: ['fetch'], placeholder: 'fetched {age} ago, {chars} units' };
const rules: readonly SimplificationRule[] = [
  rule,
  { name: 'by page', tools: ['fetch'], ignoreCase: true, groupBy: { argument: 'url' }, placeholder: '{tool}' },
  { name: 'by path', tools: ['write'], groupBy: 'path', pathKeys: ['to'], keepRecent: 1, placeholder: '{path}' },
  { name: 'old', contentMarkers: ['"stdout":'], recentAmong: 'allTools', errors: 'exitCode', placeholder: '' },
];
simplifyToolResults(chat, rules, { now: 0 });
// @ts-expect-error the rules are required
simplifyToolResults(chat);
// @ts-expect-error the rules are a list
simplifyToolResults(chat, rule);
// @ts-expect-error `name` is required
simplifyToolResults(chat, [{ tools: ['fetch'], placeholder: '' }]);
// @ts-expect-error `placeholder` is required
simplifyToolResults(chat, [{ name: 'fetched', tools: ['fetch'] }]);
// @ts-expect-error no such grouping
simplifyToolResults(chat, [{ name: 'fetched', groupBy: 'url', placeholder: '' }]);
// @ts-expect-error no such value
simplifyToolResults(chat, [{ name: 'fetched', errors: 'none', placeholder: '' }]);
// @ts-expect-error a placeholder is a string
simplifyToolResults(chat, [{ name: 'fetched', placeholder: () => '' }]);

/** R3b.2: presets that are off, on, and with options. */
const options: PrepareOptions = { orphans: false, terminal: false, fileReads: reads, textSearch: true, rules, now: 0 };
prepareMessages(chat, options);
prepareMessages(chat, { terminal: { errors: 'seed' }, textSearch: { keepRecent: 2 } });
new ContextView({ terminal: { keepRecent: 3 }, rules }).project(chat, { now: 0 });
prepareMessages(chat, { placeholderLanguage: 'en', textSearch: { placeholderLanguage: 'zh' } });
// @ts-expect-error a rule with its own placeholder has no language
simplifyToolResults(chat, [{ name: 'fetched', placeholder: '', placeholderLanguage: 'en' }]);
// @ts-expect-error `orphans` has no options
prepareMessages(chat, { orphans: {} });
// @ts-expect-error `false` disables a rule
prepareMessages(chat, { terminal: null });
// @ts-expect-error an option of the call, not of one rule
prepareMessages(chat, { terminal: { now: 0 } });
new ContextView({ dialect: 'pi' });
// @ts-expect-error no such dialect
new ContextView({ dialect: 'cohere' });
// @ts-expect-error an option of the view, not of one rule
new ContextView({ terminal: { dialect: 'pi' } });
// @ts-expect-error an option of each call, not of the view
new ContextView({ now: 0 });
// @ts-expect-error an option of the view, not of a call
new ContextView().project(chat, { terminal: false });

/** Optional options may be undefined. */
prepareMessages(chat, { now: undefined, terminal: { keepRecent: undefined }, orphans: undefined, rules: undefined });
new ContextView({ price: undefined, maxExtraCost: undefined, repeatedCommands: undefined, tools: undefined });
new ContextView().project(chat, { now: undefined });
new ContextView().prepare(chat, { signal: undefined, model: undefined, maxContextTokens: undefined });
new ContextViews().prepare(chat, { conversationId: 'a', signal: undefined, maxContextTokens: 200_000 });
formatToolResultForModel([{ toolCallId: undefined, success: undefined, metadata: undefined }]);
parseContextLengthError('x', null, { language: undefined });
simplifyOutdatedTerminalResults(chat, { now: undefined, errors: undefined, placeholderLanguage: undefined });
/** Drop-in functions have one of two placeholder languages. */
prepareMessages(chat, { placeholderLanguage: 'auto' });
// @ts-expect-error drop-in functions have 'zh' and 'en'
simplifyOutdatedTerminalResults(chat, { placeholderLanguage: 'auto' });
