import type { KeyProofStore } from '@slipstream/ports';
import type { Tables } from './tables.js';

export const memoryKeyProof = ({ keyProof }: Tables): KeyProofStore => ({
  find: async () => keyProof.get('proof'),
  save: async (sealed) => keyProof.set('proof', sealed),
});
