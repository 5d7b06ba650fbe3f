import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { change, exactMoment, value } from '../../figures/format.js';
import { type Sample, drawdownOf, seriesOf } from '../../figures/series.js';
import { theme } from '../../session/look.js';
import { type Plots, drawPlots } from './chart-plots.js';
import { type Column, Table } from '../common/table.js';

/** The curve of a value with its drawdown. Arrow keys move the cursor; the table has every point. */
export function EquityChart(props: {
  readonly label: string;
  /** The oldest first; the last one may be the live value. */
  readonly samples: readonly Sample[];
}) {
  const { samples, label } = props;
  const box = useRef<HTMLDivElement>(null);
  const plots = useRef<Plots | undefined>(undefined);
  const [index, setIndex] = useState<number | null>(null);
  const [at, values] = useMemo(() => seriesOf(samples), [samples]);
  const drawdown = useMemo(() => drawdownOf(values), [values]);
  const looks = theme.value;

  useEffect(() => {
    const into = box.current;
    if (!into) return undefined;
    const made = drawPlots(into, into.clientWidth, setIndex);
    plots.current = made;
    const watch = new ResizeObserver(() => made.resize(into.clientWidth));
    watch.observe(into);
    const media = matchMedia('(prefers-color-scheme: dark)');
    const redraw = (): void => setIndex((before) => before);
    media.addEventListener('change', redraw);
    return () => {
      watch.disconnect();
      media.removeEventListener('change', redraw);
      made.destroy();
    };
  }, [looks]);
  useEffect(() => plots.current?.set(at, values, drawdown), [at, values, drawdown, looks]);

  const [first, last] = [samples[0], samples.at(-1)];
  const shown = (index === null ? undefined : samples[index]) ?? last;
  const place = index !== null && samples[index] ? index : samples.length - 1;
  const fall = drawdown[place] ?? 0;
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      PageUp: -20,
      PageDown: 20,
    };
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? samples.length - 1
          : place + (steps[event.key] ?? NaN);
    if (Number.isNaN(to)) return;
    event.preventDefault();
    plots.current?.point(Math.max(0, Math.min(samples.length - 1, to)));
  };
  const summary =
    first && last
      ? `${label}: from ${value(first.strategy_value)} on ${exactMoment(first.at)} to ${value(last.strategy_value)} on ${exactMoment(last.at)}. Arrow keys move along it.`
      : `${label}: no values yet.`;
  return (
    <div class="stack tight">
      <p class="small quiet" aria-live="off">
        {shown ? (
          <>
            {exactMoment(shown.at)} · <b>{value(shown.strategy_value)}</b> ·{' '}
            <span class={fall < 0 ? 'down' : ''}>
              {change(String(fall.toFixed(6)))} below its peak
            </span>
          </>
        ) : (
          'No values yet.'
        )}
      </p>
      <div class="chart" ref={box} role="img" aria-label={summary} tabIndex={0} onKeyDown={move} />
      <details>
        <summary>Show as a table</summary>
        <PointTable samples={samples} />
      </details>
    </div>
  );
}

const POINTS: readonly Column<Sample>[] = [
  { name: 'Time', cell: ({ at }) => exactMoment(at) },
  { name: 'Value', isNumber: true, cell: (sample) => value(sample.strategy_value) },
];

const PointTable = ({ samples }: { readonly samples: readonly Sample[] }) => (
  <Table
    label="Points of the curve"
    columns={POINTS}
    rows={[...samples].reverse()}
    keyOf={({ at }) => at}
    empty="No values yet."
  />
);
