import { Refusal } from '@slipstream/domain';
import { z } from 'zod';
import { impossible } from './bar.js';
import type { SaidRow } from './rows.js';
import { timeIn } from './times.js';

const price = z.number();
const bar = z.object({ t: z.string(), o: price, h: price, l: price, c: price });
const answer = z.union([
  z.object({ bars: z.record(z.string(), z.array(z.unknown())) }),
  z.object({ symbol: z.string().optional(), bars: z.array(z.unknown()) }),
]);

/** The bars of an answer of Alpaca's data API: of one symbol, or by symbol. Their number in the file stands for a line. */
export function* alpacaBars(
  file: string,
  text: string,
): Generator<{ readonly line: number; readonly said: SaidRow | string }> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', `${file} is not JSON`);
  }
  const read = answer.safeParse(json);
  if (!read.success)
    throw new Refusal('invalid_field', `${file} has no bars of Alpaca ({"bars": …})`);
  const { data } = read;
  const lists: readonly (readonly [string | undefined, readonly unknown[]])[] = Array.isArray(
    data.bars,
  )
    ? [['symbol' in data ? data.symbol : undefined, data.bars]]
    : Object.entries(data.bars);
  let line = 0;
  for (const [symbol, bars] of lists)
    for (const one of bars) {
      line += 1;
      yield { line, said: saidOf(symbol, one) };
    }
}

function saidOf(symbol: string | undefined, given: unknown): SaidRow | string {
  const read = bar.safeParse(given);
  if (!read.success) return 'it is no bar (t, o, h, l, c)';
  const { t, o: open, h: high, l: low, c: close } = read.data;
  const [time, prices] = [timeIn(t), { open, high, low, close }];
  if (time?.kind !== 'moment') return `"${t.slice(0, 40)}" is no time`;
  return (
    impossible(prices) ?? {
      kind: 'bar',
      symbol: symbol?.toUpperCase(),
      security: undefined,
      time,
      prices,
      asks: null,
    }
  );
}
