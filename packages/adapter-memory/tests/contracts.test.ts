import { describe, expect, it } from '@jest/globals';
import {
  clockContract,
  eventsContract,
  idsContract,
  unitOfWorkContract,
} from '@slipstream/port-contracts';
import { countingIds, eventBus, fixedClock, openMemory } from '../src/index.js';

unitOfWorkContract('memory', async () => openMemory());
eventsContract('in process', () => eventBus(() => undefined));
clockContract('fixed', () => fixedClock(0));
idsContract('counting', () => countingIds());

describe('the unit of work in memory', () => {
  it.each([
    ['run', 'run'],
    ['run', 'read'],
    ['read', 'run'],
    ['read', 'read'],
  ] as const)('finds out at once, inside a %s, a %s', async (outer, inner) => {
    const unitOfWork = openMemory();
    const nested = unitOfWork[outer](async () => unitOfWork[inner](async () => 'inside'));
    await expect(nested).rejects.toThrow('inside another one');
    expect(await unitOfWork.run(async () => 'later')).toBe('later');
  });
});
