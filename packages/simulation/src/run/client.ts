import type { StandInSocket } from './stand-in-socket.js';
import type { UserName } from '../story/story.js';

/** An event as a client reads it. */
export interface Frame {
  readonly channel: string;
  readonly event: string;
  readonly version: number;
  readonly data: unknown;
}

/** A client's view of a channel, built from its frames alone. */
export interface ChannelView {
  version: number;
  /** Orders or alerts by id, or positions by stock. */
  readonly items: Map<string, Readonly<Record<string, unknown>>>;
  cash: string | undefined;
  last: unknown;
}

/** A client of the live streams, with its views. */
export interface Client {
  readonly user: UserName;
  readonly userId: string;
  readonly tokenId: string;
  readonly socket: StandInSocket;
  readonly channels: Map<string, ChannelView>;
  send(frame: object): void;
}
