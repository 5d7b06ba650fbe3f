import { basename, relative } from 'node:path';

/** What a shell takes as it stands. */
const PLAIN = /^[\p{L}\p{M}\p{N}_./@:+-]+$/u;

/** The text as one word of a shell. */
const shellWord = (text: string): string =>
  PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that started this program. Hints use it, because a clone has no `slipstream` on its path. */
export function calledAs(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): string {
  if (environment['npm_lifecycle_event'] === 'slipstream') return 'npm run -s slipstream --';
  // npm exec slipstream: in the folder where the package is installed.
  if (environment['npm_lifecycle_event'] === 'npx') return 'npm exec slipstream --';
  const program = argv[1] ?? '';
  if (!basename(program).startsWith('main.')) return 'slipstream';
  return `node ${shellWord(relative(folder, program))}`;
}
