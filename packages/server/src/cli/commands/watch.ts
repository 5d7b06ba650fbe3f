import type { ChannelName, StreamEvent } from '@slipstream/client';
import { parseChannel } from '@slipstream/wire';
import { type Command, InvalidArgumentError } from 'commander';
import { fitting, liveBoard } from '../live-board.js';
import { printError, print } from '../output.js';
import { type Environment, type Remote, remote } from '../remote.js';

/** The streams could not be opened. */
export class WatchFailed extends Error {
  override readonly name = 'WatchFailed';
}

/** Milliseconds between two drawings of the table. */
const REDRAWS = 100;

/** Redraws a text in place, at most ten times a second; the last text is always drawn. */
function canvas(draw: () => string) {
  let lines = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const redraw = (): void => {
    waiting = undefined;
    // A terminal that does not know its size says 0.
    const { rows, columns } = process.stdout;
    const room = { rows: (rows || 50) - 1, columns: columns || 80 };
    const { shown, height } = fitting(draw(), room);
    process.stdout.write(`${lines > 0 ? `\x1b[${lines}A\r\x1b[J` : ''}${shown}\n`);
    lines = height;
  };
  return {
    change: (): void => void (waiting ??= setTimeout(redraw, REDRAWS)),
    end: (): void => {
      if (waiting === undefined) return;
      clearTimeout(waiting);
      redraw();
    },
  };
}

/** Shows the channels until all of them have ended, or the user stops or reads no more. The output as lines also ends with the connection. */
async function watch(
  { client, json }: Remote,
  names: readonly string[],
  options: { readonly reconnect?: true },
): Promise<void> {
  const board = liveBoard();
  const screen = json || !process.stdout.isTTY ? undefined : canvas(() => board.text());
  let isConnected = false;
  let failure: string | undefined;
  const streams = client.streams({
    reconnect: options.reconnect ?? screen !== undefined,
    onConnection: (state, reason) => {
      if (state === 'open') isConnected = true;
      else if (isConnected) printError(`The connection was lost (${reason}); reconnecting.`);
      else {
        failure = reason;
        streams.close();
      }
    },
  });
  const left = new Set(names);
  let refusal: string | undefined;
  let isServed = false;
  const show = (event: StreamEvent): void => {
    if (screen) {
      board.take(event);
      screen.change();
    } else print(JSON.stringify(event));
    if (event.event !== 'ended') {
      isServed = true;
      return;
    }
    refusal = event.data.reason;
    printError(`${event.channel} ended: ${event.data.reason}`);
    left.delete(event.channel);
    if (left.size === 0) streams.close();
  };
  for (const name of left) streams.subscribe(name as ChannelName, show);
  process.once('SIGINT', () => streams.close());
  // Nobody reads on.
  process.stdout.once('error', () => streams.close());
  const reason = await streams.closed;
  screen?.end();
  if (!isConnected) throw new WatchFailed(failure ?? reason);
  if (!isServed && refusal !== undefined) throw new WatchFailed(`Nothing to watch: ${refusal}`);
  printError(reason);
}

function channel(name: string, before: readonly string[] = []): string[] {
  if (!parseChannel(name)) {
    throw new InvalidArgumentError('A channel is, for example, wsStrategyValue:<strategy_id>.');
  }
  return [...before, name];
}

export function watching(program: Command, environment: Environment): void {
  const command = program
    .command('watch')
    .description('watch live: a table in a terminal, otherwise (or with --json) one event per line')
    .argument(
      '<channels...>',
      'wsStrategyValue:<strategy_id>, wsPositions:…, wsOrders:…, wsBot:<bot_id>',
      channel,
    );
  command.option('--reconnect', 'reconnect after a lost connection, as the table does');
  remote(command, environment, watch);
}
