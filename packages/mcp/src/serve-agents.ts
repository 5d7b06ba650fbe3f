import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createAgentServer } from './agent-server.js';
import type { AgentServerOptions } from './options.js';

/** Serves an agent program over standard input and output, until it closes them. Nothing more is sent for one that reads no answers. */
export async function serveAgents(options: AgentServerOptions): Promise<void> {
  const server = createAgentServer(options);
  process.stdout.once('error', () => void server.close());
  await server.connect(new StdioServerTransport());
}
