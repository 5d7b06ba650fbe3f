import { basename, relative } from 'node:path';

/** The command with which this program was started, so that hints name one that exists: a clone has no `slipstream` on the path. */
export function calledAs(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  if (environment['npm_lifecycle_event'] === 'slipstream') return 'npm run -s slipstream --';
  const program = argv[1] ?? '';
  return basename(program).startsWith('main.') ? `node ${relative(folder, program)}` : 'slipstream';
}
