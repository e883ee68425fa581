// What must and must not compile for `contextPicture`.
/// <reference lib="dom" />
import 'palimpsest/elements';
import { ContextView, contextPicture, type SessionPicture } from 'palimpsest';

const view = new ContextView();
const picture: SessionPicture = contextPicture(view, [{ role: 'user', content: 'hello' }]);
const map = document.querySelector('context-map');
if (map !== null) map.picture = picture;

// @ts-expect-error options are not a view
contextPicture({ terminal: true }, []);
// @ts-expect-error a number is not a message
contextPicture(view, [5]);
// @ts-expect-error `replacedFrom` may be null
export const replaced: number | undefined = picture.threads[0]?.cells[0]?.replacedFrom;
// @ts-expect-error no such kind
export const isOther = picture.kinds.includes('thought');
