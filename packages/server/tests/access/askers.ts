import type { OperationName } from '@slipstream/wire';
import type { Placeholder } from '../operations/table/scene.js';
import type { Asker } from '../transcripts/requests.js';
import { PROBING, type Reader, WRITERS, isHidden, knownTo } from './readers.js';
import type { World } from './world.js';

/** The ids of what is hidden from the reader in the first world: the world that differs in it has none of that id. */
const hiddenFrom = (reader: Reader, kind: Placeholder, first: World) =>
  (['owner', 'follower'] as const)
    .filter((whose) => isHidden(whose, reader))
    .flatMap((whose) =>
      (first.hidden[whose][kind] ?? []).map((id) => ({ id, label: `unseen of the ${whose}` })),
    );

/** Whether a write would change what the others read, or what the reader may read. */
const mayChange = (name: OperationName, reader: Reader, label: string): boolean =>
  reader === 'owner' ||
  (name === 'newStrategySubscription' && ['Free', 'Paid', 'Other'].includes(label)) ||
  (reader === 'token of the owner for another strategy' && label === 'Other');

/** What the reader asks for in every world, as the first one has it. */
export const askerOf = (reader: Reader, first: World): Asker => ({
  writes: WRITERS.includes(reader),
  probes: PROBING.includes(reader),
  known: (kind) => knownTo(reader, first.known, kind),
  unseen: (kind) => hiddenFrom(reader, kind, first),
  mayChange: (name, label) => mayChange(name, reader, label),
});
