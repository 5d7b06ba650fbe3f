import { describe, expect, it } from '@jest/globals';
import { DAY, MINUTE, type ShownEntry, id, isoDay } from '@slipstream/domain';
import fc from 'fast-check';
import { type CheckedAnchor, lateDays } from './covered-days.js';

const START = Date.parse('2026-01-01T00:00:00Z');
const DAYS = 6;
/** The anchor of a day has what was recorded by then (contract 8: ten minutes after its end). */
const MADE_AFTER = DAY + 10 * MINUTE;

const entriesAt = (times: readonly number[]): ShownEntry[] =>
  times
    .toSorted((one, other) => one - other)
    .map((at, index) => ({
      ...{ seq: index + 1, kind: 'trade' as const, at: START + at, body: null },
      ...{ strategyId: id('record'), previousHash: '', hash: '' },
    }));

const anchorsOf = (entries: readonly ShownEntry[]): CheckedAnchor[] =>
  Array.from({ length: DAYS }, (_, index) => {
    const day = START + index * DAY;
    const seq = entries.filter(({ at }) => at < day + MADE_AFTER).length;
    return { day: isoDay(day), seq, stampedAt: day + MADE_AFTER };
  });

/** Any time of the days, the minutes around midnight as often as all others. */
const time = fc.oneof(
  fc.integer({ min: 0, max: DAYS * DAY - 1 }),
  fc
    .tuple(fc.integer({ min: 1, max: DAYS - 1 }), fc.integer({ min: -MINUTE, max: 11 * MINUTE }))
    .map(([day, after]) => day * DAY + after),
);

describe('the days of a record', () => {
  it('have an anchor in time whenever their entries were made, also in the minutes before the anchor of the day before', () => {
    fc.assert(
      fc.property(fc.array(time, { maxLength: 12 }), (times) => {
        const entries = entriesAt(times);
        expect(lateDays(entries, anchorsOf(entries)).size).toBe(0);
      }),
      { examples: [[[DAY + 5 * MINUTE]]] },
    );
  });

  it('are named where the anchor is missing that alone has their entries in time', () => {
    fc.assert(
      fc.property(
        fc.array(time, { maxLength: 12 }),
        fc.integer({ min: 0, max: DAYS - 2 }),
        (times, missing) => {
          const entries = entriesAt(times);
          const anchors = anchorsOf(entries);
          const [gap, before] = [anchors[missing], anchors[missing - 1]];
          const isNeeded = entries.some(
            ({ seq, at }) => isoDay(at) === gap?.day && seq > (before?.seq ?? 0),
          );
          const late = lateDays(
            entries,
            anchors.filter((one) => one !== gap),
          );
          expect([...late.keys()]).toEqual(isNeeded ? [gap?.day] : []);
        },
      ),
    );
  });
});
