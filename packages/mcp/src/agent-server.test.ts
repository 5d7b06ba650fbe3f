import { describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createClient } from '@slipstream/client';
import { operations } from '@slipstream/wire';
import { createAgentServer } from './agent-server.js';

/** What a commit answers when the service answers it so. */
async function committed(answer: () => Response): Promise<string> {
  const example = (name: 'getServiceInfo' | 'preparePlan') =>
    Response.json({ success: true, response: operations[name].example.response });
  const client = createClient({
    url: 'http://x.test',
    timers: { wait: () => Promise.resolve() },
    fetch: (url) =>
      Promise.resolve(
        String(url).endsWith('/commitPlan')
          ? answer()
          : example(String(url).endsWith('/preparePlan') ? 'preparePlan' : 'getServiceInfo'),
      ),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createAgentServer({ client, allowWrites: true, version: '1' }).connect(far);
  const agent = new Client({ name: 'test', version: '1' });
  await agent.connect(near);
  const { content } = await agent.callTool({ name: 'prepare_newPost', arguments: { text: 'x' } });
  const [{ text }] = content as [{ readonly text: string }];
  const { answer: plan } = JSON.parse(text) as {
    readonly answer: { readonly plan_id: string; readonly does: { untrusted_text: string } };
  };
  const given = { plan_id: plan.plan_id, does: plan.does.untrusted_text };
  const said = await agent.callTool({ name: 'commitPlan', arguments: given });
  await agent.close();
  return JSON.stringify(said);
}

describe('an agent whose commit is answered by a proxy', () => {
  it('hears that it may have been carried out, and how to find out without a second one', async () => {
    const said = await committed(() => new Response('', { status: 504 }));
    expect(said).toContain('whether the plan was carried out is not known');
    expect(said).toContain('with the same plan_id and does again');
  });

  it('hears of a refusal that nothing was done', async () => {
    const refused = { success: false, response: 'Request failed. no.' };
    const said = await committed(() => Response.json(refused, { status: 400 }));
    expect(said).not.toContain('is not known');
  });
});
