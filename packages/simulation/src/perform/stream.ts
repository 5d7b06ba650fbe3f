import { type Doing, there } from '../doing.js';
import { userIdOf } from '../places.js';
import { type Client, newClient } from '../stream-client.js';
import type { Place, StreamCommand, UserName } from '../story.js';
import type { World } from '../world.js';

async function listen(
  doing: Doing,
  command: Extract<StreamCommand, { do: 'listen' }>,
): Promise<void> {
  const { world, application } = doing;
  const { by, channel } = command;
  const caller = await doing.callerOf(by);
  const { token, text } = await application.newToken(caller, { name: 'stream', scope: ['*'] });
  const process = there(world.process);
  const named =
    channel === 'wsBot'
      ? world.database.rows<{ id: string }>('SELECT id FROM bots ORDER BY id')
      : world.database.rows<{ id: string }>('SELECT id FROM strategies ORDER BY id');
  const { id } = there(named[command.of % Math.max(1, named.length)]);
  const client = newClient(world, { user: by, userId: userIdOf(world, by), tokenId: token.id });
  await process.streams.accept(client.socket as never, text);
  process.clients.push(client);
  client.say({ action: 'subscribe', channels: [`${channel}:${id}`] });
}

async function deleteToken(doing: Doing, by: UserName): Promise<void> {
  const { world, application } = doing;
  const client = world.process?.clients.findLast(
    (one) => one.user === by && one.socket.readyState === 1,
  );
  const { tokenId } = there(client);
  await application.deleteToken(await doing.callerOf(by), { tokenId });
  world.memory.acknowledged.push(() =>
    world.database.rows('SELECT id FROM tokens WHERE id = ?', tokenId).length === 0
      ? undefined
      : `token ${tokenId} was deleted`,
  );
}

/** The open connection at that place. */
function clientAt(world: World, place: Place): Client {
  const open = world.process?.clients.filter((one) => one.socket.readyState === 1) ?? [];
  return there(open[place % Math.max(1, open.length)]);
}

/** Clients of the live streams come, lose their token, stop reading and catch up. */
export async function performStream(doing: Doing, command: StreamCommand): Promise<void> {
  const { world } = doing;
  switch (command.do) {
    case 'listen':
      return listen(doing, command);
    case 'deleteToken':
      return deleteToken(doing, command.by);
    case 'stall':
      return clientAt(world, command.client).socket.stall(command.unsent);
    case 'catchUp':
      return clientAt(world, command.client).socket.catchUp();
  }
}
