import { type TestRunner, currentRunner, useRunner } from '../runner.js';

interface Case {
  readonly name: string;
  readonly before: readonly (() => Promise<void>)[];
  readonly run: () => void | Promise<void>;
  readonly after: readonly (() => Promise<void> | undefined)[];
}

interface Scope {
  readonly before: (() => Promise<void>)[];
  readonly after: (() => Promise<void> | undefined)[];
}

/** The cases that `suites` declares, each with the hooks of its surrounding scopes. */
function casesOf(expect: TestRunner['expect'], suites: () => void): readonly Case[] {
  const cases: (Omit<Case, 'before' | 'after'> & { readonly scopes: readonly Scope[] })[] = [];
  let scopes: readonly Scope[] = [];
  const inner = () => scopes[scopes.length - 1];
  useRunner({
    describe: (_, declare) => {
      const around = scopes;
      scopes = [...around, { before: [], after: [] }];
      declare();
      scopes = around;
    },
    it: (name, run) => cases.push({ name, run, scopes }),
    beforeEach: (run) => inner()?.before.push(run),
    afterEach: (run) => inner()?.after.unshift(run),
    expect,
  });
  suites();
  return cases.map(({ name, run, scopes: around }) => ({
    name,
    run,
    before: around.flatMap(({ before }) => before),
    after: around.toReversed().flatMap(({ after }) => after),
  }));
}

async function passes({ before, run, after }: Case): Promise<boolean> {
  try {
    for (const hook of before) await hook();
    await run();
    return true;
  } catch {
    return false;
  } finally {
    for (const hook of after) await hook();
  }
}

const numberOf = (name: string): string => /^[A-Z]{2}-\d+/.exec(name)?.[0] ?? name;

/**
 * Runs suites separately, one case after the other, and returns the failed cases, by number if they have one.
 * For tests of the suites: an adapter that is wrong must fail. With `only`, the cases of that number are run alone.
 */
export async function failuresOf(suites: () => void, only?: string): Promise<readonly string[]> {
  const runner = currentRunner();
  const cases = casesOf(runner.expect, suites);
  useRunner(runner);
  const failed = new Set<string>();
  for (const each of cases)
    if (only === undefined || numberOf(each.name) === only)
      if (!(await passes(each))) failed.add(numberOf(each.name));
  return [...failed];
}
