import { type MonthlyReturn, figureText } from '@slipstream/domain';

/** The compounded months of a year. */
export interface YearReturn {
  readonly year: number;
  readonly growth: number;
  /** The same as a decimal of 12 significant digits. */
  readonly text: string;
  /** The twelve months; undefined where the span has none. */
  readonly months: readonly (MonthlyReturn | undefined)[];
}

const MONTHS = 12;

/** The years of a monthly table, oldest first. */
export function yearsOf(monthly: readonly MonthlyReturn[]): YearReturn[] {
  const years = new Map<number, MonthlyReturn[]>();
  for (const one of monthly) years.set(one.year, [...(years.get(one.year) ?? []), one]);
  return [...years].map(([year, inside]) => {
    const growth = inside.reduce((product, one) => product * (1 + Number(one.return)), 1) - 1;
    const months = Array.from({ length: MONTHS }, (_, index) =>
      inside.find(({ month }) => month === index + 1),
    );
    return { year, growth, text: figureText(growth), months };
  });
}
