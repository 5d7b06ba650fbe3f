import { describe, expect, it } from '@jest/globals';
import { brokerContract, failuresOf } from '@slipstream/port-contracts';
import { WRONG_BROKERS } from './wrong-brokers.js';
import { WRONG_ORDERS } from './wrong-orders.js';

describe('the suite for brokers', () => {
  it.each([...WRONG_BROKERS, ...WRONG_ORDERS])(
    'finds by the case of its fault, and by no other, one that %s',
    async (name, open, expected) => {
      expect(await failuresOf(() => brokerContract(name, open))).toEqual(expected);
    },
  );
});
