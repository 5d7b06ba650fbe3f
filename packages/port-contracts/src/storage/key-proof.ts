import { describe, expect, it } from '../testing.js';
import { type OpenStorage, emptyBeforeEach } from './storage.js';

export const keyProofContract = (open: OpenStorage): void => {
  describe('the proof of the master key', () => {
    const unitOfWork = emptyBeforeEach(open);
    const found = () => unitOfWork.read(({ keyProof }) => keyProof.find());

    it('is not there at first', async () => {
      expect(await found()).toBeUndefined();
    });

    it('is the last one saved', async () => {
      await unitOfWork.run(({ keyProof }) => keyProof.save('first'));
      await unitOfWork.run(({ keyProof }) => keyProof.save('second'));
      expect(await found()).toBe('second');
    });
  });
};
