import { MINUTE } from '@slipstream/domain';
import { type CoreAlone, openCore, priced } from '../core-alone.js';
import { stockIdOf } from '../many-strategies.js';
import { cpuOf } from '../measure/cpu.js';
import { answerQuestions } from '../program.js';

/** A minute in which these many of the stocks, from the first one on, have a new price. */
export interface RankedMinute {
  readonly moved: number;
  readonly price: string;
}

const BATCH = 500;
let core: CoreAlone | undefined;

const opened = (): CoreAlone => {
  if (!core) throw new Error('no database is open');
  return core;
};

/** A core over a file; each minute it samples the values and ranks. */
answerQuestions(
  {
    async open(file: string): Promise<boolean> {
      core = await openCore(file);
      return true;
    },
    /** CPU seconds that the ranks of that minute take. */
    async minute({ moved, price }: RankedMinute): Promise<number> {
      const { application, clock, quote } = opened();
      clock.advance(MINUTE);
      for (let at = 0; at < moved; at += BATCH) {
        const count = Math.min(BATCH, moved - at);
        await quote(
          Array.from({ length: count }, (_, index) => priced(stockIdOf(at + index), price)),
        );
      }
      await application.background.tick();
      return (await cpuOf(application.background.rankStrategies)) / 1e6;
    },
  },
  () => core?.close(),
);
