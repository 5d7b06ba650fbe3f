import tab from '@bomb.sh/tab/commander';
import { operations } from '@slipstream/wire';
import type { Command } from 'commander';

/** `complete <shell>` prints a script with which bash, zsh, fish or PowerShell completes commands, options and operations. */
export function completing(program: Command, argv: readonly string[]): void {
  // A shell completes the word `slipstream`, whatever command started this program.
  if (argv[2] === 'complete') program.name('slipstream');
  const { commands } = tab(program);
  for (const name of ['call', 'operations']) {
    commands
      .get(name)
      ?.argument('operation', (complete) =>
        Object.values(operations).forEach(({ name: operation, summary }) =>
          complete(operation, summary),
        ),
      );
  }
}
