import type { MemoryPorts } from '@slipstream/adapter-memory/testing';
import type { Application } from '@slipstream/application';

/** A deliberate bug around the core. If the comparison does not find it, the comparison is broken. */
export interface MatchingBug {
  readonly name: string;
  readonly mistake: string;
  readonly wrapPorts?: (ports: MemoryPorts) => MemoryPorts;
  readonly wrapApplication?: (application: Application, ports: MemoryPorts) => Application;
}
