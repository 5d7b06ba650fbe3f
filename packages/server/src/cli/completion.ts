import tab from '@bomb.sh/tab/commander';
import { operations } from '@slipstream/wire';
import type { Command } from 'commander';

/** `complete <shell>` prints what makes bash, zsh, fish or PowerShell complete commands, options and operations. */
export function completing(program: Command, argv: readonly string[]): void {
  // A shell completes one word, however the program was called this time.
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
