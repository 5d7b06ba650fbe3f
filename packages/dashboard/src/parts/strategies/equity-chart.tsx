import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { change, exactMoment, value } from '../../figures/format.js';
import { type Sample, curvesOf } from '../../figures/series.js';
import { theme } from '../../session/look.js';
import { Basis } from '../common/basis.js';
import { Change } from '../common/signed.js';
import { type Plots, drawPlots } from './chart-plots.js';
import { PointTable } from './point-table.js';

interface Props {
  readonly label: string;
  /** What the samples rest on. */
  readonly basis: string;
  /** The oldest first; the last one may be the live value. */
  readonly samples: readonly Sample[];
  /** What the owner claims of the time before; never joined with the samples. */
  readonly claimed: readonly Sample[];
  /** The name of the benchmark in the samples. */
  readonly benchmark: string | null;
}

/** How far a key moves the cursor. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 },
  ...{ Home: -Infinity, End: Infinity },
};

/** The curve of a value with its drawdown. Arrow keys move the cursor; the table has every point. */
export function EquityChart(props: Props) {
  const { samples, claimed } = props;
  const box = useRef<HTMLDivElement>(null);
  const plots = useRef<Plots | undefined>(undefined);
  const [index, setIndex] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const curves = useMemo(() => curvesOf(samples, claimed), [samples, claimed]);
  const looks = useLooks();

  useEffect(() => {
    const into = box.current;
    if (!into) return undefined;
    const made = drawPlots(into, into.clientWidth, setIndex);
    plots.current = made;
    const watch = new ResizeObserver(() => made.resize(into.clientWidth));
    watch.observe(into);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, [looks]);
  useEffect(() => plots.current?.set(curves), [curves, looks]);

  const last = curves.at.length - 1;
  const place = Math.min(index ?? last, last);
  const move = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    plots.current?.point(Math.max(0, Math.min(last, place + step)));
  };
  return (
    <div class="stack tight">
      <Reading
        {...props}
        place={place}
        isMoved={index !== null}
        fall={curves.drawdown[place] ?? 0}
      />
      <Legend {...props} />
      <div
        class="chart"
        ref={box}
        role="img"
        aria-label={summaryOf(props, Math.min(0, ...curves.drawdown.map((one) => one ?? 0)))}
        tabIndex={0}
        onKeyDown={move}
      />
      <details open={isTable} onToggle={(event) => setTable(event.currentTarget.open)}>
        <summary>Show as a table</summary>
        {isTable && <PointTable {...props} />}
      </details>
    </div>
  );
}

/** Changes with the theme, also when the system changes it. */
function useLooks(): string {
  const media = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [isDark, setDark] = useState(media.matches);
  useEffect(() => {
    const see = (): void => setDark(media.matches);
    media.addEventListener('change', see);
    return () => media.removeEventListener('change', see);
  }, [media]);
  return `${theme.value} ${isDark}`;
}

/** The curve as a sentence, for readers who do not see it. */
function summaryOf({ label, basis, samples, claimed, benchmark }: Props, deepest: number): string {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last) return `${label}: no values yet.`;
  const span = `from ${value(first.strategy_value)} on ${exactMoment(first.at)} to ${value(last.strategy_value)} on ${exactMoment(last.at)}`;
  return [
    `${label}: ${span}, ${basis}. Deepest fall between these points ${change(deepest.toFixed(6))}.`,
    ...(claimed.length > 0 ? ['A dashed curve before it is claimed by the owner.'] : []),
    ...(benchmark === null ? [] : [`Beside it is ${benchmark}.`]),
    'Arrow keys move along it.',
  ].join(' ');
}

/** The point under the cursor, or the last one. */
function Reading(
  props: Props & { readonly place: number; readonly isMoved: boolean; readonly fall: number },
) {
  const { samples, claimed, place, fall } = props;
  const own = samples[place - claimed.length - (claimed.length > 0 ? 1 : 0)];
  const shown = claimed[place] ?? own;
  if (!shown)
    return <p class="small quiet">{samples.length > 0 ? 'Between both.' : 'No values yet.'}</p>;
  return (
    <p class="small quiet" aria-live={props.isMoved ? 'polite' : 'off'}>
      {exactMoment(shown.at)} · <b>{value(shown.strategy_value)}</b>{' '}
      {shown === own ? (
        <>
          · <Change of={fall.toFixed(6)} /> from its peak
        </>
      ) : (
        <Basis of="claimed" />
      )}
    </p>
  );
}

/** What each curve is, where there is more than one. */
function Legend({ basis, claimed, benchmark }: Props) {
  if (claimed.length === 0 && benchmark === null) return null;
  return (
    <p class="row small legend">
      <span class="key">
        Value <Basis of={basis} />
      </span>
      {claimed.length > 0 && (
        <span class="key dashed">
          Before <Basis of="claimed" />
        </span>
      )}
      {benchmark !== null && <span class="key beside">{benchmark}, without dividends</span>}
    </p>
  );
}
