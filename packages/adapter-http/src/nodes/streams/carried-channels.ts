import { type ClientFrame, countsEvents, parseChannel } from '@slipstream/wire';

/** How an event begins, which is as much of it as is read here (contract 6). */
const HEAD_BYTES = 240;
const EVENT = /^(\{"channel":"([^"\\]+)","event":"(\w+)","version":)(\d+),/;

/** What a client has of a channel. */
interface Had {
  /** The version of its last event; undefined before the first. */
  readonly last: number | undefined;
  /** What is added to the versions of the node that serves: one that counts the events of a channel begins anew. */
  readonly added: number;
}

const NOTHING: Had = { last: undefined, added: 0 };

/** The channels of a client, over all nodes that serve it one after another. */
export class CarriedChannels {
  private readonly had = new Map<string, Had>();

  /** The event as the client gets it, with its version above the last one; undefined when it is none. */
  told(frame: Buffer): Buffer | undefined {
    const event = EVENT.exec(frame.toString('latin1', 0, HEAD_BYTES));
    if (!event) return undefined;
    const [, begins = '', channel = '', kind, given = ''] = event;
    const { added } = this.had.get(channel) ?? NOTHING;
    const version = Number(given) + added;
    if (kind === 'ended') this.had.delete(channel);
    else this.had.set(channel, { last: version, added });
    if (added === 0) return frame;
    const rest = frame.subarray(Buffer.byteLength(begins, 'latin1') + given.length);
    return Buffer.concat([Buffer.from(`${begins}${version}`, 'latin1'), rest]);
  }

  /** The other node has done what the client asked for. */
  learn(frame: ClientFrame): void {
    if (frame.action === 'subscribe') {
      for (const name of frame.channels) if (!this.had.has(name)) this.had.set(name, NOTHING);
    } else if (frame.action === 'unsubscribe')
      for (const name of frame.channels) this.had.delete(name);
  }

  /** What tells another node what the client has. From now on events are that node's. */
  frames(): ClientFrame[] {
    return [...this.had].map(([name, { last }]) => {
      const isCounted = countsEvents(parseChannel(name)?.kind);
      this.had.set(name, { last, added: isCounted ? (last ?? 0) : 0 });
      const after = last === undefined || isCounted ? {} : { after: { [name]: last } };
      return { action: 'subscribe', channels: [name], ...after };
    });
  }
}
