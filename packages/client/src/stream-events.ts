import type { CHANNELS, ChannelKind } from '@slipstream/wire';

/** A channel's name: its kind and the id of the strategy, the bot or the user. */
export type ChannelName<Kind extends ChannelKind = ChannelKind> = `${Kind}:${string}`;

/** The record that events carry: an item of the read's response, or the whole of it. */
type Data<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['data']['_zod']['input'];
type Snapshot<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['isList'] extends true
  ? Data<Kind>[]
  : Data<Kind>;
type Name<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['events'][number];
type Told<Kind extends ChannelKind> = {
  readonly channel: ChannelName<Kind>;
  /** The book's version after the change (orders, positions); else the channel's own count. */
  readonly version: number;
  readonly at: string;
};

/**
 * What a listener gets: a snapshot, whenever the connection is new, then every change above its version, and `ended` when
 * nothing more comes: access is gone, was refused, or the thing itself is.
 */
export type StreamEvent<Kind extends ChannelKind = ChannelKind> = Kind extends ChannelKind
  ? | (Told<Kind> & { readonly event: 'snapshot'; readonly data: Snapshot<Kind> })
    | (Told<Kind> & {
        readonly event: Exclude<Name<Kind>, 'snapshot'>;
        readonly data: Data<Kind>;
      })
    | {
        readonly channel: ChannelName<Kind>;
        readonly event: 'ended';
        readonly data: { readonly reason: string };
      }
  : never;

/** Gets every event of one channel, in order. */
export type Listener<Kind extends ChannelKind = ChannelKind> = (event: StreamEvent<Kind>) => void;
