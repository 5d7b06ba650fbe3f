import { describe, expect, it } from '@jest/globals';
import { StorageUnavailable } from '@slipstream/ports';
import { begunInTime } from './begun-in-time.js';

const patience = { isWanted: () => true, left: () => 1 };
const waiting = () => {
  let go = (): void => undefined;
  const until = new Promise<void>((resolve) => (go = resolve));
  return { until, go: () => go() };
};

// TradingView's help, "Webhook resubmission" and "How to configure webhook alerts": it cancels after three seconds, and sends again,
// five seconds later and three times at most, what was answered with 500 to 599 except 504.
describe('an alert that waits until its sender is about to give up', () => {
  it('is refused then, and does not begin later', async () => {
    const queue = waiting();
    const asked: boolean[] = [];
    const performed = async (isWanted: () => boolean) => {
      await queue.until;
      asked.push(isWanted());
    };
    let work: Promise<void> | undefined;
    const answer = begunInTime(patience, (isWanted) => (work = performed(isWanted)));
    await expect(answer).rejects.toBeInstanceOf(StorageUnavailable);
    queue.go();
    await work;
    expect(asked).toEqual([false]);
  });

  it('is completed if it has begun, however late', async () => {
    const disk = waiting();
    const answer = begunInTime(patience, async (isWanted) => {
      expect(isWanted()).toBe(true);
      await disk.until;
      return 'done';
    });
    setTimeout(disk.go, 5);
    await expect(answer).resolves.toBe('done');
  });

  it('is refused without a word if it fails after that', async () => {
    const queue = waiting();
    let work: Promise<never> | undefined;
    const answer = begunInTime(patience, () => {
      work = queue.until.then(() => Promise.reject(new Error('too late')));
      return work;
    });
    await expect(answer).rejects.toBeInstanceOf(StorageUnavailable);
    queue.go();
    await expect(work).rejects.toThrow('too late');
  });

  it('is not wanted any more once its sender says so', async () => {
    const answers = await begunInTime({ isWanted: () => false, left: () => 1_000 }, (isWanted) =>
      Promise.resolve([isWanted()]),
    );
    expect(answers).toEqual([false]);
  });
});
