import type { MemoryPorts } from '@slipstream/adapter-memory';
import type { Application } from '@slipstream/application';

/** A mistake that is made on purpose, around the core: a comparison that does not find it is broken. */
export interface Wrong {
  readonly name: string;
  /** What the mistake is. */
  readonly says: string;
  readonly ports?: (ports: MemoryPorts) => MemoryPorts;
  readonly application?: (application: Application, ports: MemoryPorts) => Application;
}
