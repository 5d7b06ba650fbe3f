import { format } from 'node:util';
import type { expect as jestExpect } from '@jest/globals';
import { currentRunner } from './runner.js';

type Values<Row> = Row extends readonly unknown[]
  ? { -readonly [Place in keyof Row]: Row[Place] }
  : [Row];

export const describe = (name: string, cases: () => void): void =>
  void currentRunner().describe(name, cases);

export const beforeEach = (run: () => Promise<void>): void => void currentRunner().beforeEach(run);

export const afterEach = (run: () => Promise<void> | undefined): void =>
  void currentRunner().afterEach(run);

const one = (name: string, run: () => void | Promise<void>): void =>
  void currentRunner().it(name, run);

/** A case for each row; `%s` and `%j` of the name are its first values. */
const each =
  <const Row>(rows: readonly Row[]) =>
  (name: string, run: (...row: Values<Row>) => void | Promise<void>): void => {
    for (const row of rows) {
      const values = (Array.isArray(row) ? row : [row]) as unknown as Values<Row>;
      const places = name.match(/%[sj]/g)?.length ?? 0;
      one(format(name, ...values.slice(0, places)), () => run(...values));
    }
  };

export const it = Object.assign(one, { each });

/** The runner's, typed as Jest's: the others speak the same language. */
export const expect = <Actual>(actual: Actual): ReturnType<typeof jestExpect<Actual>> =>
  currentRunner().expect(actual) as ReturnType<typeof jestExpect<Actual>>;
