import type { CHANNELS, ChannelKind } from '@slipstream/wire';

/** A channel's name: its kind and the id of the strategy, the bot or the user. */
export type ChannelName<Kind extends ChannelKind = ChannelKind> = `${Kind}:${string}`;

/** The record that most events carry: an item of the read's response, or the whole of it. */
type Data<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['data']['_zod']['input'];
/** The events that carry something else. */
type Others<Kind extends ChannelKind> = (typeof CHANNELS)[Kind] extends {
  readonly others: infer Events extends Readonly<Record<string, { readonly data: unknown }>>;
}
  ? Events
  : Record<never, never>;
type DataOf<Kind extends ChannelKind, Event> = Event extends keyof Others<Kind>
  ? Others<Kind>[Event] extends {
      readonly data: { readonly _zod: { readonly input: infer Given } };
    }
    ? Given
    : never
  : Data<Kind>;
type Snapshot<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['isList'] extends true
  ? Data<Kind>[]
  : Data<Kind>;
type Name<Kind extends ChannelKind> = (typeof CHANNELS)[Kind]['events'][number];
type Told<Kind extends ChannelKind> = {
  readonly channel: ChannelName<Kind>;
  /** The book's version (orders, positions); else the channel's own count. */
  readonly version: number;
  readonly at: string;
};

/**
 * What a listener gets: a snapshot, whenever the connection is new, then every change above its version, the values of
 * positions between (`valued`), and `ended` when nothing more comes: access is gone, was refused, or the thing itself is.
 */
export type StreamEvent<Kind extends ChannelKind = ChannelKind> = Kind extends ChannelKind
  ? | (Told<Kind> & { readonly event: 'snapshot'; readonly data: Snapshot<Kind> })
    | {
        readonly [Event in Exclude<Name<Kind>, 'snapshot'>]: Told<Kind> & {
          readonly event: Event;
          readonly data: DataOf<Kind, Event>;
        };
      }[Exclude<Name<Kind>, 'snapshot'>]
    | {
        readonly channel: ChannelName<Kind>;
        readonly event: 'ended';
        readonly data: { readonly reason: string };
      }
  : never;

/** Gets every event of one channel, in order. */
export type Listener<Kind extends ChannelKind = ChannelKind> = (event: StreamEvent<Kind>) => void;
