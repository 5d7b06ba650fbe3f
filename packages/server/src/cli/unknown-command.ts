import type { Command } from 'commander';
import { nearest } from './nearest.js';

/**
 * Refuses a word in the place of a command of a group that is none of them. The list that stands for the group gets it otherwise, and
 * says only that it takes fewer arguments.
 */
export function refuseUnknownCommand(program: Command, argv: readonly string[]): void {
  const [name, ...words] = argv.slice(2);
  const group = program.commands.find((one) => one.name() === name);
  const list = group?.commands.find((one) => one.name() === 'list');
  const options = words.findIndex((word) => word.startsWith('-'));
  const [word, ...rest] = options < 0 ? words : words.slice(0, options);
  if (!group || !list || word === undefined || rest.length < list.registeredArguments.length)
    return;
  const names = group.commands.map((one) => one.name());
  if ([...names, 'help'].includes(word)) return;
  const near = nearest(word, names);
  const hint = near === undefined ? `there are ${names.join(', ')}` : `Did you mean ${near}?`;
  group.error(`error: unknown command '${word}'\n(${hint})`, { code: 'commander.unknownCommand' });
}
