import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fixedClock, testSecrets } from '@slipstream/adapter-memory/testing';
import type { Storage, Stores } from '@slipstream/ports';
import { type Operation, type OperationName, operations } from '@slipstream/wire';
import { AT } from '../../../wire/src/example-ids.js';
import { type ComposedServer, composedServer } from '../helpers/composed-server.js';
import { vault } from '../helpers/vault-broker.js';
import { prepared, tokenFor } from './table/prepared.js';
import { STOCK, keptMails, newScene } from './table/scene.js';

const WRITES: ReadonlySet<PropertyKey> = new Set(['add', 'save', 'remove']);

/** The stores that each transaction wrote to, in the order of the transactions. */
const written: Set<PropertyKey>[] = [];

/** The storage, whose writes are noted. */
const noting = (storage: Storage): Storage => ({
  ...storage,
  run: (work, options) =>
    storage.run((stores) => {
      const own = new Set<PropertyKey>();
      written.push(own);
      return work(
        new Proxy(stores, {
          get: (all, name) =>
            new Proxy(all[name as keyof Stores], {
              get: (store, method) => {
                if (WRITES.has(method)) own.add(name);
                return Reflect.get(store, method) as unknown;
              },
            }),
        }),
      );
    }, options),
});

describe('the answer of a request under an Idempotency-Key', () => {
  let server: ComposedServer;
  beforeAll(async () => {
    server = await composedServer({
      clock: fixedClock(Date.parse(AT)),
      through: noting,
      adapters: {
        mailer: keptMails,
        oneTimePasswords: testSecrets().oneTimePasswords,
        addBrokers: [vault([])],
      },
    });
    await server.quotes({ [STOCK]: [199.98, 200.02] });
  });
  afterAll(() => server.close());

  const keyed = (Object.keys(operations) as OperationName[]).filter(
    (name) => (operations[name] as Operation).takesIdempotencyKey,
  );

  it('is stored with its change, so that no crash leaves it unknown, unless it says what came after', async () => {
    const stored: string[] = [];
    for (const name of keyed) {
      const { method, path } = operations[name];
      const scene = await newScene(server);
      const body = await prepared(name, scene);
      const token = await tokenFor(name, scene);
      written.length = 0;
      const headers = { 'idempotency-key': `of-${name}` };
      await server.call(method, path, { body, token, headers });
      const changes = written.filter((stores) => stores.has('audit'));
      const isLater = changes.length > 0 && written.at(-1)?.has('audit') === false;
      if (isLater && written.at(-1)?.has('keptAnswers')) stored.push(name);
    }
    // The outcome of a charge, and stocks after the actions that follow from their change.
    expect(stored).toEqual(['updateStocks', 'retryInvoice']);
  });
});
