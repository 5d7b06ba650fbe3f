import type { Endpoint, EndpointTarget, SendAnswer } from '@slipstream/domain';
import { openMemory } from '@slipstream/adapter-memory';
import type { EndpointMessage, EndpointSender, UnitOfWork } from '@slipstream/ports';
import { fixture } from '../fixture.js';

export interface Sent extends EndpointMessage {
  readonly target: EndpointTarget;
}

/** Takes every message, and answers as it is told. */
export interface Receiver extends EndpointSender {
  readonly sent: Sent[];
  answer: (message: Sent) => SendAnswer | Promise<SendAnswer>;
}

export const DELIVERED: SendAnswer = { kind: 'delivered', status: 200, reason: null };
export const FAILED: SendAnswer = { kind: 'failed', status: 503, reason: 'it answered 503' };
export const GONE: SendAnswer = { kind: 'gone', status: 410, reason: 'it answered 410' };

export function receiver(): Receiver {
  const sent: Sent[] = [];
  let secrets = 0;
  return {
    sent,
    answer: () => DELIVERED,
    bodyOf: ({ name }, at) => JSON.stringify({ type: name, at }),
    problemOf: (target) =>
      target.kind === 'webhook' && !target.url.startsWith('https://')
        ? 'url must be an https address'
        : undefined,
    newSecret: () => `whsec_${++secrets}`,
    async send(target, message) {
      const one = { ...message, target };
      sent.push(one);
      return this.answer(one);
    },
  };
}

/** A user with a strategy that can trade, and a receiver of what is sent. */
export async function world(
  around: (storage: UnitOfWork) => UnitOfWork = (storage) => storage,
  given: Parameters<typeof fixture>[0] = {},
) {
  const endpointSender = receiver();
  const made = await fixture({ endpointSender, unitOfWork: around(openMemory()), ...given });
  const ada = await made.user('ada');
  const strategyId = await made.strategy(ada);
  await made.quote('AAPL:NASDAQ', '100');
  const { app } = made;
  let filled = 0;
  return {
    ...made,
    ada,
    strategyId,
    receiver: endpointSender,
    endpoint: (command: Partial<Parameters<typeof app.newEndpoint>[1]> = {}, by = ada) =>
      app.newEndpoint(by, {
        kind: 'webhook',
        url: 'https://example.com/hook',
        events: ['order.filled'],
        ...command,
      }),
    /** As many more endpoints like that one. */
    async copies({ id, sealedTarget, ...endpoint }: Endpoint, count: number) {
      const { secretBox, unitOfWork, ids } = made.ports;
      const target = secretBox.open(sealedTarget, `endpoint|${id}`);
      await unitOfWork.run(async ({ endpoints }) => {
        for (let n = 0; n < count; n += 1) {
          const other = ids.next<'endpoint'>();
          const sealed = secretBox.seal(target, `endpoint|${other}`);
          await endpoints.save({ ...endpoint, id: other, sealedTarget: sealed });
        }
      });
    },
    /** Buys or sells, whichever comes next: each fills an order. */
    async fills(count: number) {
      for (let n = 0; n < count; n += 1) {
        const action = filled++ % 2 === 0 ? 'buy' : 'sell';
        await app.newOrderWebhook(ada, { strategyId, stock: 'AAPL:NASDAQ', action });
      }
    },
  };
}
