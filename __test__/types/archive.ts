import {
  type ArchiveBatch,
  ArchiveError,
  type ArchiveErrorCode,
  type ArchiveHit,
  type ArchiveStore,
  type LookupTool,
  lookupTool,
  type RestoredBatch,
  SessionArchive,
} from 'palimpsest';
import { expectTrue, type Same } from './expect.js';
import type { ChatMessage } from './hosts.js';

const archive = new SessionArchive('history.db');
new SessionArchive({ path: 'history.db', busyTimeoutMs: 100 });
// @ts-expect-error the path is required
new SessionArchive();

declare const messages: readonly ChatMessage[];
const batch: ArchiveBatch = { id: 'c1', kind: 'summary', level: 1, at: 0, messages };
const appended = archive.append('s', batch);
expectTrue<Same<typeof appended, Promise<{ sessionId: string; id: string; count: number }>>>();
// @ts-expect-error `kind` is 'summary' or 'truncation'
archive.append('s', { id: 'c1', kind: 'digest', level: 1, at: 0, messages });

const got = archive.get<ChatMessage>('s', 'c1');
expectTrue<Same<typeof got, Promise<ChatMessage[]>>>();
const restored = archive.restore<ChatMessage>('s');
expectTrue<Same<typeof restored, Promise<{ sessionId: string; batches: RestoredBatch<ChatMessage>[] }>>>();
const hits = archive.search<ChatMessage>('x', { sessionId: 's', limit: 3 });
expectTrue<Same<typeof hits, Promise<ArchiveHit<ChatMessage>[]>>>();

const store: ArchiveStore = archive;
expectTrue<Same<ReturnType<typeof store.delete>, Promise<{ batches: number; messages: number }>>>();
const many = store.getMany<ChatMessage>('s', ['c1'], { signal: null });
expectTrue<Same<typeof many, Promise<RestoredBatch<ChatMessage>[]>>>();
lookupTool(store, { sessionId: 's' });
// @ts-expect-error an object with `search` alone is not an archive
lookupTool({ search: store.search }, { sessionId: 's' });

const tool: LookupTool = archive.lookupTool({ sessionId: 's', language: 'en' });
expectTrue<Same<ReturnType<typeof tool.handler>, Promise<string>>>();
// @ts-expect-error no such language
archive.lookupTool({ language: 'fr' });

declare const error: unknown;
if (error instanceof ArchiveError) expectTrue<Same<typeof error.code, ArchiveErrorCode>>();
