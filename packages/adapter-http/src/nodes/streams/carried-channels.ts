import {
  type ClientFrame,
  type ToldEvents,
  countsEvents,
  parseChannel,
  toldEvents,
} from '@slipstream/wire';

/** How an event begins, which is as much of it as is read here (contract 6). */
const HEAD_BYTES = 240;
const EVENT = /^(\{"channel":"([^"\\]+)","event":"(\w+)","version":)(\d+),/;
/** So many channels and their versions are less than the longest frame (contract 6). */
const CHANNELS_A_FRAME = 50;

/** What a client has of a channel. */
interface Carried {
  readonly told: ToldEvents;
  /** The version of the last event. */
  last: number;
  /** What is added to the versions of the node that serves: one that counts the events of a channel begins anew. */
  added: number;
}

/** The channels of a client, over all nodes that serve it one after another. */
export class CarriedChannels {
  private readonly channels = new Map<string, Carried>();
  /** The one whose event came last; undefined once something else came. */
  private latest: ToldEvents | undefined;

  /** The event as the client gets it, with its version above the last one; `again` if it was told before; undefined when it is none. */
  told(frame: Buffer): Buffer | 'again' | undefined {
    const found = EVENT.exec(frame.toString('latin1', 0, HEAD_BYTES));
    if (!found) return undefined;
    const [, begins = '', name = '', event = '', given = ''] = found;
    const channel = this.channels.get(name);
    this.latest = channel?.told;
    if (event === 'ended') this.channels.delete(name);
    if (!channel) return frame;
    const version = Number(given) + channel.added;
    if (!channel.told.take(event, version)) return 'again';
    channel.last = version;
    if (channel.added === 0) return frame;
    const rest = frame.subarray(Buffer.byteLength(begins, 'latin1') + given.length);
    return Buffer.concat([Buffer.from(`${begins}${version}`, 'latin1'), rest]);
  }

  /** Something else came than an event: all events of the last version are there. */
  interrupted(): void {
    this.latest = undefined;
  }

  /** The other node has done what the client asked for. */
  learn(frame: ClientFrame): void {
    if (frame.action === 'subscribe') {
      for (const name of frame.channels)
        if (!this.channels.has(name))
          this.channels.set(name, { told: toldEvents(frame.after?.[name]), last: 0, added: 0 });
    } else if (frame.action === 'unsubscribe')
      for (const name of frame.channels) this.channels.delete(name);
  }

  /** The other node tells no more: another one counts anew. */
  cut(): void {
    for (const [name, channel] of this.channels) {
      channel.told.cut(channel.told === this.latest);
      if (countsEvents(parseChannel(name)?.kind)) channel.added = channel.last;
    }
    this.latest = undefined;
  }

  /** What tells another node what the client has. */
  frames(): ClientFrame[] {
    const names = [...this.channels.keys()];
    const frames: ClientFrame[] = [];
    while (names.length > 0) {
      const channels = names.splice(0, CHANNELS_A_FRAME);
      frames.push({ action: 'subscribe', channels, after: this.versions(channels) });
    }
    return frames;
  }

  private versions(names: readonly string[]): Record<string, number> {
    const versions: Record<string, number> = {};
    for (const name of names) {
      const version = this.channels.get(name)?.told.after();
      if (version !== undefined && !countsEvents(parseChannel(name)?.kind))
        versions[name] = version;
    }
    return versions;
  }
}
