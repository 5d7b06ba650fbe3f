import type { Application, Settings } from '@slipstream/application';
import type { Ports } from '@slipstream/ports';
import type { BrokerName } from '../story/story.js';
import type { World } from '../world/world.js';

/** A deliberate bug around the core. If the simulation does not find it, the simulation is broken. */
export interface Bug {
  readonly name: string;
  readonly mistake: string;
  /** The rules that may catch it; one is enough. */
  readonly breaks: readonly string[];
  /** Where the bots of its stories have their accounts; the simulated one by default. */
  readonly broker?: BrokerName;
  /** Changes the ports that the core gets. */
  readonly wrapPorts?: (ports: Ports, world: World) => Ports;
  readonly changeSettings?: (settings: Settings) => Settings;
  /** Changes the application that gets the commands. */
  readonly wrapApplication?: (application: Application, world: World) => Application;
  /** Changes the application that the streams use. */
  readonly streamApplication?: (application: Application, world: World) => Application;
  /** False if the broker accepts the same client order id again. */
  readonly brokerDedupes?: boolean;
  /** False if sockets report no unsent bytes. */
  readonly showsUnsent?: boolean;
}
