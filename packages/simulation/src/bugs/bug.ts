import type { Application, Settings } from '@slipstream/application';
import type { Ports } from '@slipstream/ports';
import type { World } from '../world/world.js';

/** A mistake that is made on purpose, around the core: a simulation that does not find it is broken. */
export interface Bug {
  readonly name: string;
  readonly mistake: string;
  /** Any of these rules may be the one that catches it. */
  readonly breaks: readonly string[];
  /** The core gets these ports instead. */
  readonly wrapPorts?: (ports: Ports, world: World) => Ports;
  readonly changeSettings?: (settings: Settings) => Settings;
  /** Commands are given to this application instead. */
  readonly wrapApplication?: (application: Application, world: World) => Application;
  /** The streams get this application instead. */
  readonly streamApplication?: (application: Application, world: World) => Application;
  /** False: the broker takes the same client order id again. */
  readonly brokerDedupes?: boolean;
  /** False: sockets do not tell what is unsent. */
  readonly showsUnsent?: boolean;
}
