import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createClient } from '@slipstream/client';
import { createAgentServer } from '../src/agent-server.js';
import { UNTRUSTED } from '../src/marked-texts.js';

/** An agent in this process, which asks a server with a token. */
export interface Agent {
  readonly tools: ReadonlySet<string>;
  /** The answer of a tool, with the texts of others as they are. */
  read(tool: string, fields: Readonly<Record<string, unknown>>): Promise<unknown>;
  close(): Promise<void>;
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  const [[name, text] = []] = fields;
  if (fields.length === 1 && name === UNTRUSTED) return text;
  return Object.fromEntries(fields.map(([field, inner]) => [field, unmarked(inner)]));
}

/** Opens one that only reads. */
export async function openAgent(url: string, token: string): Promise<Agent> {
  const client = createClient({ url, token });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createAgentServer({ client, allowWrites: false, version: '1' }).connect(far);
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(near);
  const { tools } = await agent.listTools();
  return {
    tools: new Set(tools.map(({ name }) => name)),
    async read(name, fields) {
      const { content } = await agent.callTool({ name, arguments: { ...fields } });
      const [{ text }] = content as [{ readonly text: string }];
      const said = JSON.parse(text) as { readonly answer?: unknown };
      return 'answer' in said ? unmarked(said.answer) : said;
    },
    close: () => agent.close(),
  };
}
