import { StorageUnavailable } from '@slipstream/ports';

/**
 * Thrown because the process ends: where the next part of a long job would begin, and instead of an answer from outside that did not
 * come in time. A request that waits for it is refused.
 */
export class Ended extends StorageUnavailable {
  constructor() {
    super('the process ends');
  }
}
