import type { MemoryPorts } from '@slipstream/adapter-memory/testing';
import type { Application } from '@slipstream/application';

/** A mistake that is made on purpose, around the core: a comparison that does not find it is broken. */
export interface MatchingBug {
  readonly name: string;
  readonly mistake: string;
  readonly wrapPorts?: (ports: MemoryPorts) => MemoryPorts;
  readonly wrapApplication?: (application: Application, ports: MemoryPorts) => Application;
}
