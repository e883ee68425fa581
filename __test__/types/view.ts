import {
  ContextView,
  ContextViews,
  type LookupTool,
  type ResultKind,
  type SessionArchive,
  type ViewResult,
} from 'palimpsest';

declare const archive: SessionArchive;
const view = new ContextView({
  keepTools: ['Read', 'mcp__db__*'],
  dropTools: ['mcp__browser__*'],
  protect: ({ toolName, content, index }: ViewResult) => toolName === 'bash' && content.length > index,
  pin: (message) => message.pinned === true,
});
new ContextView({ pin: ['call_7'] });
// @ts-expect-error `protect` is synchronous
new ContextView({ protect: async () => true });
// @ts-expect-error `keepTools` is a list
new ContextView({ keepTools: 'Read' });
const alone: LookupTool = view.lookupTool();
view.lookupTool({ archive, sessionId: 's', maxTokens: 5_000 });
// @ts-expect-error a path is not an archive
view.lookupTool({ archive: 'a.db', sessionId: 's' });
new ContextView({ ages: { fileRead: 200, shellRun: 20 } });
// @ts-expect-error no such kind
new ContextView({ ages: { reads: 200 } });
const views = new ContextViews({ ages: { web: 7 } });
const kind: ResultKind = 'shellRead';
export const again: number = views.report().reacquired[kind] + view.report().replaced[kind];
new ContextViews({ ages: views.report().ages });
export const counted: number = view.ledger().requests + views.ledger().requests;
export const named: LookupTool = views.lookupTool({ conversationId: 'chat-7', archive });
// @ts-expect-error `conversationId` is required
views.lookupTool({});
export const answer: Promise<string> = alone.handler({ id: '#41' });
