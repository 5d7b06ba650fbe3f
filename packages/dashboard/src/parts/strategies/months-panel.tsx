import { compounded } from '../../figures/decimal-text.js';
import { change, tone } from '../../figures/format.js';
import type { Statistics } from '../../service/records.js';
import { Basis } from '../common/basis.js';
import { Panel } from '../common/panel.js';
import { Change } from '../common/signed.js';
import { type Column, Table } from '../common/table.js';

type Month = Statistics['monthly'][number];

const NAMES = Array.from({ length: 12 }, (_, month) =>
  new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2026, month, 1)),
  ),
);
/** From these returns on, as fractions without a sign, the colour is stronger. */
const STRENGTHS = [0.02, 0.05];

const shadeOf = ({ return: change_ }: Month): string => {
  const strength = STRENGTHS.filter((least) => Math.abs(Number(change_)) >= least).length;
  return `month ${tone(change_)} shade-${strength}`;
};

const columns = (months: readonly Month[]): readonly Column<number>[] => [
  { name: 'Year', what: 'year', isNumber: true, cell: (year) => <b>{year}</b> },
  ...NAMES.map((name, index) => ({
    name,
    what: null,
    isNumber: true,
    cell: (year: number) => {
      const found = months.find((one) => one.year === year && one.month === index + 1);
      return (
        found && (
          <span class={shadeOf(found)}>
            {change(found.return)}
            {found.partial && <span title="A part of the month">*</span>}
          </span>
        )
      );
    },
  })),
  {
    name: 'Whole year',
    what: 'year_return',
    isNumber: true,
    cell: (year) => (
      <b>
        <Change of={compounded(ofYear(year, months).map((one) => one.return))} />
      </b>
    ),
  },
];

const ofYear = (year: number, months: readonly Month[]) =>
  months.filter((one) => one.year === year);

/** A year in a file: the return of each month by its number, and of them all. */
const recordOf = (year: number, months: readonly Month[]) => ({
  year,
  ...Object.fromEntries(
    NAMES.map((_, index) => [
      `month_${index + 1}`,
      months.find((one) => one.year === year && one.month === index + 1)?.return,
    ]),
  ),
  whole_year: compounded(ofYear(year, months).map((one) => one.return)),
});

/** The return of every month. */
export function MonthsPanel({ of }: { readonly of: Statistics }) {
  return (
    <Panel
      title={
        <>
          Monthly returns <Basis of={of.basis} />
        </>
      }
    >
      <Table
        label="Monthly returns"
        class="months"
        columns={columns(of.monthly)}
        rows={[...new Set(of.monthly.map(({ year }) => year))]}
        keyOf={String}
        record={(year) => recordOf(year, of.monthly)}
        empty="They begin with the first month."
      />
      {of.monthly.some(({ partial }) => partial) && (
        <p class="small quiet">* A part of the month.</p>
      )}
    </Panel>
  );
}
