import { decimal } from '@slipstream/domain';
import { type Broker, BrokerUnreachable } from '@slipstream/ports';

/** A broker that keeps what it is given and needs it again at every call. Its page gives the code as the key. */
export function vault(seen: unknown[]): Broker {
  const unused = async (): Promise<never> => {
    throw new BrokerUnreachable('nothing is traded here');
  };
  return {
    name: 'vault',
    live: false,
    asksFor: ['key', 'secret'].map((name) => ({
      name,
      description: `The ${name} of the vault.`,
      required: name === 'key',
      example: 'abc',
    })),
    consent: {
      page: ({ state }) => `https://vault.example/?state=${state}`,
      redeem: async (code) => ({ key: code }),
    },
    link: async ({ credentials }) => ({
      accountId: 'account-1',
      credentials,
      label: 'the vault',
      live: false,
      holdings: [],
      warnings: [],
    }),
    account: async ({ credentials }) => {
      seen.push(credentials);
      return {
        equity: decimal('5000'),
        cash: decimal('5000'),
        buyingPower: decimal('10000'),
        maxGross: decimal('2'),
        positions: [],
        allows: 'all',
        because: null,
      };
    },
    rules: unused,
    place: unused,
    find: unused,
    cancel: unused,
  };
}
