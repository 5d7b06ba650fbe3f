import uPlot from 'uplot';

/** A colour of the theme as canvases take it: they do not know `light-dark()`. */
function colour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const AXIS = 74;
const SYNC = 'value-and-drawdown';

export interface Plots {
  set(at: readonly number[], values: readonly number[], drawdown: readonly number[]): void;
  resize(width: number): void;
  /** Puts the cursor on a point. */
  point(index: number): void;
  destroy(): void;
}

/** The curve and the drawdown below, with one axis of time. `onPoint` tells the point under the cursor. */
export function drawPlots(
  into: HTMLElement,
  width: number,
  onPoint: (index: number | null) => void,
): Plots {
  const [line, fill, down, downFill, grid, text] = [
    ...['--accent', '--accent-soft', '--down', '--down-soft', '--line', '--quiet'],
  ].map(colour) as [string, string, string, string, string, string];
  const sync = uPlot.sync(SYNC);
  const font = '12px system-ui, sans-serif';
  const axis = { stroke: text, font, grid: { stroke: grid, width: 1 }, ticks: { show: false } };
  const shared = {
    width,
    legend: { show: false },
    padding: [8, 0, 0, 0] as uPlot.Padding,
    cursor: { sync: { key: SYNC }, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true } },
  };
  const upper = new uPlot(
    {
      ...shared,
      height: 220,
      axes: [
        { ...axis, size: 6, values: () => [] },
        { ...axis, side: 1, size: AXIS, values: (_, all) => all.map((one) => one.toFixed(4)) },
      ],
      series: [{}, { stroke: line, width: 1.75, fill, points: { show: false } }],
      hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
    },
    [[], []],
    into,
  );
  const lower = new uPlot(
    {
      ...shared,
      height: 112,
      scales: { x: { time: true }, y: { range: (_, low) => [Math.min(low, -0.0005) * 1.1, 0] } },
      axes: [
        axis,
        {
          ...axis,
          side: 1,
          size: AXIS,
          space: 26,
          values: (_, all) => all.map((one) => `${(one * 100).toFixed(2)}%`),
        },
      ],
      series: [{}, { stroke: down, width: 1, fill: downFill, fillTo: 0, points: { show: false } }],
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
    set: (at, values, drawdown) => {
      upper.setData([at as number[], values as number[]]);
      lower.setData([at as number[], drawdown as number[]]);
    },
    resize: (next) => {
      upper.setSize({ width: next, height: 220 });
      lower.setSize({ width: next, height: 112 });
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
