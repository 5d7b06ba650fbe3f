import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createAgentServer } from './agent-server.js';
import type { AgentServerOptions } from './options.js';

/** Serves an agent program over standard input and output, until it closes them. */
export const serveAgents = (options: AgentServerOptions): Promise<void> =>
  createAgentServer(options).connect(new StdioServerTransport());
