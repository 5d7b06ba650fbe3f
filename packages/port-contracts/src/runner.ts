/** A test runner, as far as the suites need one: Jest, Vitest, node:test with the package `expect`. */
export interface TestRunner {
  readonly describe: (name: string, cases: () => void) => unknown;
  readonly it: (name: string, run: () => void | Promise<void>) => unknown;
  readonly beforeEach: (run: () => Promise<void>) => unknown;
  readonly afterEach: (run: () => Promise<void> | undefined) => unknown;
  /** As Jest's. */
  readonly expect: (actual: unknown) => unknown;
}

const NEEDED = ['describe', 'it', 'beforeEach', 'afterEach', 'expect'] as const;

let chosen: TestRunner | undefined;

/** The suites that are called from now on use this runner. Without it they use the globals of that name. */
export function useRunner(runner: TestRunner): void {
  chosen = runner;
}

export function currentRunner(): TestRunner {
  if (chosen) return chosen;
  const missing = NEEDED.filter((name) => !(name in globalThis));
  if (missing.length > 0)
    throw new Error(
      `there is no global ${missing.join(', ')}: call useRunner({ ${NEEDED.join(', ')} }) before a suite`,
    );
  return globalThis as unknown as TestRunner;
}
