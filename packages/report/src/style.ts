/** The steps of the colours of months. */
export const STRENGTHS = 9;

const strengths = Array.from(
  { length: STRENGTHS + 1 },
  (_, step) => `.s${step} { --strength: ${5 + 5 * step}%; }`,
).join('\n');

/** The look of a report: light and dark by the reader's scheme, and print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f4f5f7, #0e1117);
  --card: light-dark(#fff, #161b22);
  --text: light-dark(#15181d, #e6e9ee);
  --quiet: light-dark(#565e6b, #9aa4b2);
  --line: light-dark(#e1e4e9, #2b323c);
  --blue: light-dark(#1652cc, #7aa7ff);
  --gain: light-dark(#05713b, #4cc38a);
  --loss: light-dark(#b42318, #ff8a80);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 1040px; margin: 0 auto; padding: 24px 16px 48px; }
header, section, footer { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 18px 20px; margin-bottom: 16px; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0 0 10px; }
h3 { font-size: 14px; margin: 14px 0 4px; }
p { margin: 0 0 8px; }
.title { display: flex; flex-wrap: wrap; gap: 8px 24px; justify-content: space-between; }
.value { display: flex; flex-direction: column; align-items: flex-end; line-height: 1.25; }
.value strong { font-size: 30px; }
.basis { border: 1px solid var(--line); border-radius: 99px; padding: 1px 10px; color: var(--text); }
.basis.simulated { border-style: dashed; }
.disclosure { border-left: 3px solid var(--blue); padding-left: 10px; }
.quiet, caption { color: var(--quiet); font-size: 13px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(104px, 1fr)); gap: 12px; margin: 14px 0 0; }
dt { color: var(--quiet); font-size: 13px; }
dd { margin: 0; font-size: 18px; font-weight: 600; }
.gain { color: var(--gain); }
.loss { color: var(--loss); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-bottom: 8px; }
caption { text-align: left; padding: 10px 0 4px; }
th, td { text-align: left; padding: 5px 8px; border-bottom: 1px solid var(--line); vertical-align: top; font-weight: 400; }
thead th { color: var(--quiet); font-size: 13px; white-space: nowrap; }
tbody th { font-weight: 600; }
.group th { padding-top: 14px; color: var(--blue); }
.exact td { font-size: 13px; padding: 5px 6px; }
.number { text-align: right; white-space: nowrap; }
.date { white-space: nowrap; }
td:first-child { white-space: nowrap; }
.months td, .months th { padding: 5px 6px; font-size: 13px; }
.heat { text-align: right; white-space: nowrap; color: var(--text); }
.heat.gain { background: color-mix(in srgb, var(--gain) var(--strength), transparent); }
.heat.loss { background: color-mix(in srgb, var(--loss) var(--strength), transparent); }
${strengths}
.chart { display: block; width: 100%; height: auto; }
.chart text { font-size: 12px; fill: var(--quiet); }
.tick line, .zero { stroke: var(--line); }
path.curve { fill: none; stroke: var(--blue); stroke-width: 1.6; stroke-linejoin: round; }
.surface { fill: var(--blue); opacity: 0.09; }
path.claimed { fill: none; stroke: var(--quiet); stroke-width: 1.6; stroke-dasharray: 6 5; }
path.benchmark { fill: none; stroke: var(--quiet); stroke-width: 1.2; stroke-dasharray: 5 3; }
.fall { fill: var(--loss); opacity: 0.35; }
.bar rect { fill: var(--quiet); }
.bar.gain rect { fill: var(--gain); }
.bar.loss rect { fill: var(--loss); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; }
.key::before { content: ''; display: inline-block; width: 18px; margin-right: 6px; vertical-align: middle; border-top: 2px solid var(--blue); }
.key.claimed::before { border-top: 2px dashed var(--quiet); }
.key.benchmark::before { border-top: 2px dashed var(--quiet); }
footer ul { margin: 0; padding-left: 18px; overflow-wrap: anywhere; }
@media (max-width: 640px) { .chart text { font-size: 20px; } .value { align-items: flex-start; } }
@media (max-width: 480px) { main { padding: 8px; } header, section, footer { padding: 14px 12px; } }
@media print {
  :root { color-scheme: light; --page: #fff; }
  body { font-size: 11px; }
  main { max-width: none; padding: 0; }
  header, section, footer { border: 0; padding: 8px 0; }
  .wide { overflow: visible; }
  .quiet, caption, dt, thead th, .months td, .months th { font-size: 10px; }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(72px, 1fr)); gap: 8px; }
  dd { font-size: 14px; }
  .exact td { font-size: 10px; }
  .months { break-inside: avoid; }
  thead { display: table-header-group; }
  tr, svg, header { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .heat { print-color-adjust: exact; }
}
`;

/** The hash of the style, as policies name it; a test computes it. */
export const STYLE_HASH = 'sha256-TqNqkX30KN7UN11o1W5HewVaiqlONeSljX8Z42kPZ8c=';
