import uPlot from 'uplot';
import { axisTime } from '../../figures/axis-time.js';
import { percent, value } from '../../figures/format.js';
import type { Curves } from '../../figures/series.js';

/** A colour of the theme as canvases take it: they do not know `light-dark()`. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const [VALUE_HEIGHT, DRAWDOWN_HEIGHT, AXIS, EDGE] = [250, 100, 74, 14];
/** Pixels of half a character. */
const HALF = 3.7;
const SYNC = 'value-and-drawdown';

/** The drawn curves. */
export interface Plots {
  set(curves: Curves): void;
  resize(width: number): void;
  /** Puts the cursor on a point. */
  point(index: number): void;
  destroy(): void;
}

/** A filling that fades from `from` to nothing at the lower end. */
const fading =
  (from: string): uPlot.Series.Fill =>
  ({ ctx, bbox }) => {
    const fade = ctx.createLinearGradient(0, bbox.top, 0, bbox.top + bbox.height);
    fade.addColorStop(0, from);
    fade.addColorStop(1, 'transparent');
    return fade;
  };

/** The curves above and the drawdown below, with one axis of time. `onPoint` gives the point under the cursor. */
export function drawPlots(
  into: HTMLElement,
  width: number,
  onPoint: (index: number | null) => void,
): Plots {
  const [line, fill, down, downFill, grid, text, beside] = [
    ...['--accent', '--accent-fill', '--down', '--down-soft', '--line', '--quiet', '--beside'],
  ].map(colour) as [string, string, string, string, string, string, string];
  const sync = uPlot.sync(SYNC);
  const font = '12px system-ui, sans-serif';
  const axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
  const written = (write: (text: string) => string) => (_: uPlot, all: number[]) =>
    all.map((one) => write(String(one)));
  const curve = { points: { show: false } };
  const shared = {
    width,
    legend: { show: false },
    padding: [8, 0, 0, EDGE] as uPlot.Padding,
    cursor: { sync: { key: SYNC }, drag: { x: false, y: false }, points: { size: 7 } },
  };
  const upper = new uPlot(
    {
      ...shared,
      height: VALUE_HEIGHT,
      scales: { x: { time: true } },
      axes: [
        { ...axis, size: 6, values: () => [] },
        { ...axis, side: 1, size: AXIS, values: written(value) },
      ],
      series: [
        {},
        { ...curve, stroke: line, width: 1.75, fill: fading(fill) },
        { ...curve, stroke: text, width: 1.5, dash: [5, 4] },
        { ...curve, stroke: beside, width: 1.25 },
      ],
      hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    },
    [[], [], [], []],
    into,
  );
  const lower = new uPlot(
    {
      ...shared,
      height: DRAWDOWN_HEIGHT,
      scales: { x: { time: true }, y: { range: (_, low) => [Math.min(low, -0.0005) * 1.1, 0] } },
      axes: [
        {
          ...axis,
          size: 30,
          space: 80,
          values: (plot, all, _, __, step) =>
            all.map((at) => {
              const mark = axisTime(at, step);
              // The edge would cut it.
              return plot.valToPos(at, 'x') + EDGE < mark.length * HALF ? '' : mark;
            }),
        },
        { ...axis, side: 1, size: AXIS, space: 26, values: written(percent) },
      ],
      series: [{}, { ...curve, stroke: down, width: 1, fill: downFill, fillTo: 0 }],
    },
    [[], []],
    into,
  );
  const plots = [upper, lower];
  for (const plot of plots) sync.sub(plot);
  const follow = (event: TouchEvent): void => {
    const touch = event.touches[0];
    if (!touch) return;
    const { left } = upper.over.getBoundingClientRect();
    upper.setCursor({ left: touch.clientX - left, top: 10 });
  };
  for (const { over } of plots) over.addEventListener('touchmove', follow, { passive: true });
  return {
    set: ({ at, values, claimed, benchmark, drawdown }) => {
      upper.setData([at, values, claimed, benchmark] as uPlot.AlignedData);
      lower.setData([at, drawdown] as uPlot.AlignedData);
    },
    resize: (next) => {
      upper.setSize({ width: next, height: VALUE_HEIGHT });
      lower.setSize({ width: next, height: DRAWDOWN_HEIGHT });
    },
    point: (index) => {
      const time = upper.data[0][index];
      if (time !== undefined) upper.setCursor({ left: upper.valToPos(time, 'x'), top: 10 });
    },
    destroy: () => {
      for (const plot of plots) plot.destroy();
    },
  };
}
