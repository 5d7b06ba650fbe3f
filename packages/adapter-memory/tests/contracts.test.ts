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
