import { describe, expect, it } from '@jest/globals';
import { failuresOf, unitOfWorkContract } from '@slipstream/port-contracts';
import { WRONG_STORAGES } from './wrong-storages.js';

describe('the suite for storages', () => {
  it.each(WRONG_STORAGES)(
    'finds, exactly by the case of its fault, one that %s',
    async (name, fixture, expected) => {
      expect(await failuresOf(() => unitOfWorkContract(name, fixture))).toEqual(expected);
    },
  );
});
