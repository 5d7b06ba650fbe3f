import { basename, relative } from 'node:path';

/** The words that a person types to run this program, so that what a hint names is there: in a clone there is no `slipstream` on the path. */
export function calledAs(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  if (environment['npm_lifecycle_event'] === 'slipstream') return 'npm run -s slipstream --';
  const program = argv[1] ?? '';
  return basename(program).startsWith('main.') ? `node ${relative(folder, program)}` : 'slipstream';
}
