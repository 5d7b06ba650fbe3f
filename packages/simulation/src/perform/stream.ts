import { type CommandContext, requireExisting } from './context.js';
import { userIdOf } from '../world/places.js';
import type { Client } from '../run/client.js';
import { newClient } from '../core/stream-client.js';
import type { Place, StreamCommand, UserName } from '../story/story.js';

async function listen(
  context: CommandContext,
  command: Extract<StreamCommand, { do: 'listen' }>,
): Promise<void> {
  const { world, process, application } = context;
  const { by, channel } = command;
  const caller = await context.callerOf(by);
  const { token, text } = await application.operations.newToken(caller, {
    name: 'stream',
    scope: ['*'],
  });
  const named =
    channel === 'wsBot'
      ? world.database.rows<{ id: string }>('SELECT id FROM bots ORDER BY id')
      : world.database.rows<{ id: string }>('SELECT id FROM strategies ORDER BY id');
  const { id } = requireExisting(named[command.of % Math.max(1, named.length)]);
  const client = newClient(context, { user: by, userId: userIdOf(world, by), tokenId: token.id });
  await process.streams.accept(client.socket as never, text);
  process.clients.push(client);
  client.send({ action: 'subscribe', channels: [`${channel}:${id}`] });
}

async function deleteToken(context: CommandContext, by: UserName): Promise<void> {
  const { world, memory, process, application } = context;
  const client = process.clients.findLast((one) => one.user === by && one.socket.readyState === 1);
  const { tokenId } = requireExisting(client);
  await application.operations.deleteToken(await context.callerOf(by), { tokenId });
  memory.acknowledged.push(() =>
    world.database.rows('SELECT id FROM tokens WHERE id = ?', tokenId).length === 0
      ? undefined
      : `token ${tokenId} was deleted`,
  );
}

/** The open connection at that place. */
function clientAt({ process }: CommandContext, place: Place): Client {
  const open = process.clients.filter((one) => one.socket.readyState === 1);
  return requireExisting(open[place % Math.max(1, open.length)]);
}

/** Clients of the live streams connect, lose their tokens, stop reading and catch up. */
export async function performStream(
  context: CommandContext,
  command: StreamCommand,
): Promise<void> {
  switch (command.do) {
    case 'listen':
      return listen(context, command);
    case 'deleteToken':
      return deleteToken(context, command.by);
    case 'stall':
      return clientAt(context, command.client).socket.stall(command.unsent);
    case 'catchUp':
      return clientAt(context, command.client).socket.catchUp();
  }
}
