import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { fixedClock, countingIds } from '@slipstream/adapter-memory/testing';
import { id } from '@slipstream/domain';
import { NOON, anEndpointEvent } from '@slipstream/port-contracts';
import type { Core } from '../../src/core.js';
import { addressEvents } from '../../src/endpoints/address-events.js';

describe('what has happened before a change of who listens', () => {
  it('is addressed without waiting for what goes on to happen', async () => {
    const unitOfWork = openMemory();
    const clock = fixedClock(NOON);
    let happened = 0;
    const happens = () =>
      unitOfWork.run(({ endpointEvents }) => {
        happened += 1;
        if (happened > 20) throw new Error('it waits for ever');
        clock.advance(1);
        const createdAt = clock.now();
        return endpointEvents.add(anEndpointEvent({ id: id(`event-${happened}`), createdAt }));
      });
    await happens();
    const until = clock.now();
    const address = addressEvents({
      clock,
      ids: countingIds(),
      unitOfWork: {
        ...unitOfWork,
        run: async (work: Parameters<typeof unitOfWork.run>[0]) => {
          await unitOfWork.run(work);
          await happens();
        },
      } as unknown as Core['unitOfWork'],
    });
    await address(until);
    const left = await unitOfWork.read(({ endpointEvents }) => endpointEvents.unaddressed(9));
    expect(left.map((event) => event.id)).toEqual(['event-2']);
  });
});
