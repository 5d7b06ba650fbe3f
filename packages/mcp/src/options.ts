import type { Client } from '@slipstream/client';

/** What the agents of a server may do, and where. */
export interface AgentServerOptions {
  readonly client: Client;
  /** Whether tools that prepare and commit are offered; otherwise nothing can be changed. */
  readonly allowWrites: boolean;
  readonly version: string;
}
