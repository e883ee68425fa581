// What must and must not compile for the elements that show a context picture.
/// <reference lib="dom" />
import type { ContextChart, SessionPicture } from 'palimpsest/elements';
import 'palimpsest/elements';

declare const picture: SessionPicture;
const map = document.createElement('context-map');
map.picture = picture;
map.picture = null;
map.request = 12;
map.request = null;
map.contextWindow = 200_000;
map.sizes = 'stored';
map.load = async (message: number, part: number | null) => ({ stored: `${message} ${part}` });
map.load = () => ({ stored: { role: 'user', content: 'hello' }, sent: null });
// @ts-expect-error `stored` is required
map.load = () => ({});
// @ts-expect-error no such size
map.sizes = 'large';
// @ts-expect-error `thread` is an index
map.thread = 'main';
map.addEventListener('cell-activate', ({ detail }) => {
  const { message, part }: { message: number; part: number | null } = detail;
  // @ts-expect-error no such field
  detail.prompt;
  return [message, part];
});
map.addEventListener('click', ({ clientX }) => clientX);

const chart: ContextChart = document.createElement('context-chart');
chart.costs = 'summed';
chart.prices = 'anthropic';
chart.addEventListener('request-change', ({ detail }) => {
  const at: number = detail.request;
  map.request = at;
});
const place: number = chart.request;
// @ts-expect-error `version` is required
chart.picture = { kinds: [] };

export { place };
