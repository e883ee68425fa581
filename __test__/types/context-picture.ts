// What users of `contextPicture` may and may not write.
/// <reference lib="dom" />
import 'palimpsest/elements';
import { ContextView, contextPicture, type SessionPicture } from 'palimpsest';

const view = new ContextView();
const picture: SessionPicture = contextPicture(view, [{ role: 'user', content: 'hello' }]);
const map = document.querySelector('context-map');
if (map !== null) map.picture = picture;

// @ts-expect-error: a view's options are no view
contextPicture({ terminal: true }, []);
// @ts-expect-error: a message has a role or a type
contextPicture(view, [5]);
// @ts-expect-error: a cell may never be replaced
export const replaced: number | undefined = picture.threads[0]?.cells[0]?.replacedFrom;
// @ts-expect-error: kinds are known
export const isOther = picture.kinds.includes('thought');
