// What must and must not compile for the elements.
/// <reference lib="dom" />
import type { ContextLimitDialog, HistorySource, PalimpsestJsx, PointEvent } from 'palimpsest/elements';
import 'palimpsest/elements';
import type { SessionArchive } from 'palimpsest';

declare const archive: SessionArchive;
const history = document.querySelector('compression-history');
if (history !== null) {
  history.messages = [{ role: 'user', content: 'hello' }];
  history.source = archive;
  history.sessionId = ['one', 'two'];
  history.addEventListener('point-expand', (event) => {
    const { level }: PointEvent = (event as CustomEvent<PointEvent>).detail;
    // @ts-expect-error the level may be null
    const sure: number = level;
    return sure;
  });
  // @ts-expect-error `get` is required
  history.source = {};
}

const dialog: ContextLimitDialog = document.createElement('context-limit-dialog');
dialog.show({ message: 'too long', requestedTokens: null });
// @ts-expect-error `maxTokens` is a number
dialog.show({ maxTokens: '1' });

document.createElement('tool-progress').event = { stage: 'complete', progress: null };

export const source: HistorySource = { get: () => [] };
export const jsx: PalimpsestJsx['compression-history'] = { messages: [], className: 'mine' };
