// What users of the map and the chart may and may not write.
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
// @ts-expect-error: what is stored must be there
map.load = () => ({});
// @ts-expect-error: there are two
map.sizes = 'large';
// @ts-expect-error: a place, by number
map.thread = 'main';
map.addEventListener('cell-activate', ({ detail }) => {
  const { message, part }: { message: number; part: number | null } = detail;
  // @ts-expect-error: the request, not the question
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
// @ts-expect-error: a picture has a version
chart.picture = { kinds: [] };

export { place };
