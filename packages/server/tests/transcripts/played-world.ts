import type { Timestamp } from '@slipstream/domain';
import type { Mail } from '@slipstream/ports';
import type { VenueRequest } from '@slipstream/stand-ins';
import type { ComposedServer } from '../helpers/composed-server.js';
import type { StreamClient } from '../helpers/stream-client.js';
import type { Placeholder } from '../operations/table/scene.js';

/** What is there in every world, under its own id in each. */
export interface Known {
  readonly kind: Placeholder;
  readonly label: string;
  readonly id: string;
  /** Who alone asks for it; everybody where it is left out. */
  readonly of?: string | undefined;
}

/** A world at the moment at which everybody asks. */
export interface PlayedWorld {
  /** Events from before this time are not compared. */
  readonly endedAt: Timestamp;
  readonly server: ComposedServer;
  readonly tokens: ReadonlyMap<string, string | undefined>;
  /** The streams that were opened before, by reader. */
  readonly streams: ReadonlyMap<string, StreamClient>;
  readonly known: readonly Known[];
  /** What events of bots are searched for. */
  readonly secret?: RegExp;
  readonly mails: readonly Mail[];
  readonly sent: readonly VenueRequest[];
}
