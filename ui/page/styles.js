// @ts-check
/** CSS of the page, after `page.css`: cards, the bar of requests, and the home page with its table of sessions. */

export const PAGE_STYLES = `
.reading { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: center; margin: 8px 0 0; color: var(--muted); }
.reading[hidden], .request-bar [hidden], table.sessions[hidden] { display: none; }
.periods { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 14px 0 12px; }
.group .entry button {
  width: calc(100% + 12px); margin-inline: -6px; padding: 1px 6px; border-color: transparent; background: none;
}
.group .entry button:hover, .group .entry button[aria-pressed="true"] { border-color: var(--accent); }
.period {
  display: flex; flex-direction: column; padding: 10px 16px; border-radius: 10px; background: var(--surface);
  text-align: start;
}
.period .name, .period .count { color: var(--muted); font-size: 13px; }
.period .sum {
  font-size: 20px; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
.filters { margin: 16px 0 8px; }
.filter {
  width: min(100%, 480px); padding: 6px 10px; border: 1px solid var(--border); border-radius: 8px;
  background: var(--background); color: inherit; font: inherit;
}
.filter::placeholder { color: var(--muted); opacity: 1; }
table.sessions { width: 100%; border: 1px solid var(--border); border-spacing: 0; border-radius: 10px; }
.sessions th, .sessions td { padding: 7px 10px; text-align: start; vertical-align: top; white-space: nowrap; }
.sessions thead th {
  border-bottom: 1px solid var(--border); background: var(--surface); color: var(--muted); font-size: 13px;
  font-weight: 600; white-space: normal; vertical-align: bottom;
}
.sessions thead th:first-child { border-start-start-radius: 10px; }
.sessions thead th:last-child { border-start-end-radius: 10px; }
.sort { padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; }
.sort:hover { color: var(--accent); }
.sessions [aria-sort="descending"] .sort::after { content: " ↓" / ""; }
.sessions [aria-sort="ascending"] .sort::after { content: " ↑" / ""; }
.sessions [aria-sort]:not([aria-sort="none"]) .sort { color: var(--text); }
.sessions tfoot tr > * { font-weight: 650; }
.sessions .number { white-space: normal; text-align: end; font-variant-numeric: tabular-nums; }
.sessions .title { width: 45%; min-width: 220px; white-space: normal; overflow-wrap: anywhere; }
.sessions .title a { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
.sessions .detail { color: var(--muted); font-size: 13px; font-weight: 400; }
.sessions .label { display: none; }
.sparkline { display: block; }
.sparkline .area { fill: var(--accent); opacity: 0.16; }
.sparkline .line { fill: none; stroke: var(--accent); stroke-width: 1.2; stroke-linejoin: round; }
.sparkline .lost { fill: var(--bad); }
.more-rows { margin-top: 10px; }
@media (min-width: 961px) {
  .sessions tbody tr:hover { background: var(--surface); }
  .sessions tfoot tr > *, .sessions tbody tr + tr > * { border-top: 1px solid var(--border); }
}
@media (max-width: 960px) {
  .periods { grid-template-columns: repeat(2, 1fr); }
  table.sessions, .sessions thead, .sessions tbody, .sessions tfoot { display: block; }
  table.sessions { border: 0; }
  .sessions thead tr { display: flex; flex-wrap: wrap; gap: 2px 14px; padding: 4px 0 8px; }
  .sessions thead th { padding: 0; border: 0; background: none; }
  .sessions thead th.plain { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .sessions tbody tr, .sessions tfoot tr {
    display: grid; grid-template-columns: repeat(auto-fill, minmax(88px, 1fr)); gap: 4px 12px; padding: 10px 0;
    border-top: 1px solid var(--border);
  }
  .sessions tbody tr > *, .sessions tfoot tr > * { padding: 0; text-align: start; }
  .sessions .title, .sessions .course { grid-column: 1 / -1; width: auto; min-width: 0; }
  .sessions .number { text-align: start; }
  .sessions .when { grid-column: span 2; }
  .sessions td:empty { display: none; }
  .sessions .label { display: block; color: var(--muted); font-size: 12px; font-weight: 400; }
}

header.bar {
  display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; padding: 10px clamp(12px, 3vw, 32px);
  border-bottom: 1px solid var(--border);
}
header.bar .name { font-weight: 650; letter-spacing: 0.01em; }
header.bar .status { color: var(--muted); margin-inline-start: auto; }
header.bar .status.is-live::before {
  content: ""; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%;
  background: var(--good);
}
header.bar .status.is-wrong { color: var(--bad); }
main { max-width: 1500px; margin: 0 auto; padding: 20px clamp(12px, 3vw, 32px) 64px; }
h1 { margin: 0; font-size: 20px; line-height: 1.3; overflow-wrap: anywhere; }
h2 { margin: 32px 0 8px; font-size: 16px; }
.about { margin: 4px 0 16px; color: var(--muted); overflow-wrap: anywhere; }
.hint { margin: 0 0 8px; color: var(--muted); max-width: 90ch; }
a { color: var(--accent); }
button, select {
  padding: 2px 6px; border: 1px solid var(--border); border-radius: 6px; background: var(--background);
  color: inherit; font: inherit;
}
button { padding: 3px 10px; cursor: pointer; }
button[slot] { flex: none; white-space: nowrap; }
button:hover, button[aria-pressed="true"] { border-color: var(--accent); }
button[aria-pressed="true"] { box-shadow: inset 0 0 0 1px var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr)); gap: 12px; }
.answer { padding: 14px 16px; border: 1px solid var(--border); border-radius: 10px; background: var(--surface); }
.answer h2 { margin: 0; font-size: 13px; font-weight: 600; color: var(--muted); }
.answer .lead { margin: 2px 0 10px; font-size: 17px; font-weight: 650; line-height: 1.35; text-wrap: pretty; }
.answer ul { list-style: none; margin: 0; padding: 0; }
.answer li { padding: 4px 0; }
.answer .more p { margin: 0; }
.answer .more { margin: 8px 0 0; color: var(--muted); }
.entry { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; }
.entry .what { overflow-wrap: anywhere; }
.entry .figure { font-variant-numeric: tabular-nums; white-space: nowrap; }
.entry .bar-track {
  grid-column: 1 / -1; display: block; height: 6px; margin-top: 2px; border-radius: 3px; background: var(--border);
  overflow: hidden;
}
.filled { display: block; height: 100%; background: currentcolor; color: var(--accent); }
.sum { color: var(--text); font-weight: 650; }
.entry button .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.advice .entry button .what { white-space: normal; }
.entry .detail, .entry details { grid-column: 1 / -1; color: var(--muted); font-size: 13px; }
.answer .save { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
.answer summary { cursor: pointer; color: var(--accent); }
.answer > details { margin-top: 12px; }
.answer ul.plain { list-style: disc; padding-inline-start: 18px; }
.entry button {
  grid-column: 1 / -1; display: grid; grid-template-columns: 1fr auto; gap: 12px; text-align: start; width: 100%;
}
.good { color: var(--good); }
.bad { color: var(--bad); }
.empty { padding: 24px; border: 1px dashed var(--border); border-radius: 10px; color: var(--muted); max-width: 80ch; }
compression-history { max-height: 80vh; }
.requests, .transcript { scroll-margin-top: 8px; }
.requests { margin-top: 24px; }
.request-bar {
  position: sticky; z-index: 1; top: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center;
  padding: 8px 0; border-bottom: 1px solid var(--border); background: var(--background);
}
.request-bar label { display: inline-flex; gap: 6px; align-items: center; color: var(--muted); }
.request-bar select { max-width: 100%; text-overflow: ellipsis; }
.request-bar .slider {
  display: flex; flex: 1 1 320px; flex-wrap: wrap; gap: 2px 12px; align-items: center; min-width: 0;
}
.request-bar input { flex: 1 1 160px; min-width: 0; min-height: 28px; margin: 0; accent-color: var(--accent); }
.request-bar output { color: var(--muted); font-variant-numeric: tabular-nums; }
@media (max-width: 480px) {
  .request-bar { gap: 0 8px; padding: 4px 0; }
  .request-bar label, .request-bar output { font-size: 12px; }
  .request-bar .slider { flex-basis: 160px; }
  .request-bar .slider input { flex-basis: 100px; }
}
context-chart, context-map { scroll-margin-top: 56px; }
`;
