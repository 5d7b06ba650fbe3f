import { CHANNELS, type ChannelKind } from '@slipstream/wire';
import type { Placeholder } from '../operations/table/scene.js';

/** Each kind of channel with the kind of thing that it names: `user_id` names a user. */
export const CHANNEL_KINDS = Object.entries(CHANNELS).map(
  ([channel, { parameter }]) =>
    [channel as ChannelKind, parameter.replace(/_id$/, '') as Placeholder] as const,
);
