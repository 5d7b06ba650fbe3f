import { type Sample, benchmark, figureAtMost } from '../measure/benchmark.js';
import { median } from '../measure/statistics.js';
import { newFolder } from '../folder.js';
import { INQUIRED, type Sent, type Things, largestRequest } from '../hold/largest-request.js';
import { largestSnapshots, subscribeTo } from '../hold/largest-snapshot.js';
import type { Hold } from '../hold/watched-loop.js';
import { startProgram } from '../program.js';
import { BEATS, type HeldFacts, type HeldOptions } from '../hold/held.js';
import { OPERATOR_TOKEN } from '../requests.js';

interface Held extends Hold {
  readonly name: string;
  readonly status: number | string;
  readonly bytes: number;
  /** The answer of a refusal. */
  readonly text?: string;
}

async function send(port: number, { method, path, auth, body }: Sent, token: string) {
  const authorization = auth === 'operator' ? OPERATOR_TOKEN : token;
  const sent = auth === 'body' ? { ...body, api_token: token } : body;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      ...(auth !== 'none' && auth !== 'body' && { authorization }),
      ...(sent && { 'content-type': 'application/json' }),
    },
    ...(sent && { body: JSON.stringify(sent) }),
  });
  const text = await answer.text();
  return { status: answer.status, bytes: text.length, ...(answer.ok ? {} : { text }) };
}

const inMs = (time: number): string => time.toFixed(1);
const noteOf = (
  { name, status, bytes, held, garbage, elsewhere, disk }: Held,
  middle: number,
): string =>
  `P24: ${inMs(held)} ms ${name}, median ${inMs(middle)} (${status}, ${Math.round(bytes / 1024)} KiB; garbage ${inMs(garbage)} ms, disk ${inMs(disk)} ms, without a core ${inMs(elsewhere)} ms)`;

/** The longest time for which a single request, or the snapshots of one stream, blocks the event loop, for a user with everything that the caps allow. */
export const noHold = benchmark(
  'P24',
  [
    {
      what: 'longest hold of the event loop by one request or snapshot in ms (median of its rounds), caps at their largest, without garbage collection',
      baseline: 'none: the figure itself',
      gate: figureAtMost(20),
    },
    {
      what: 'the same of what the service does by itself: beats of a second, a minute, an hour',
      baseline: 'none: the figure itself',
      gate: figureAtMost(20),
    },
  ],
  async ({ quick }, tell) => {
    const folder = newFolder();
    const rounds = 3;
    const options: HeldOptions = {
      file: folder.file('product.db'),
      strategies: quick ? 1_000 : 10_000,
      // One user for the warm-up and one for each round, because the last request of each deletes its user.
      whales: rounds + 1,
      quick,
    };
    tell(`making ${options.strategies} strategies, and users who have all that the caps allow`);
    const product = await startProgram('held-server', JSON.stringify(options));
    const { port, stocks, whales } = await product.ask<HeldFacts>('facts');
    const worst = new Map<string, Held>();
    /** How long each name blocked the event loop, one figure for each round. */
    const rounded = { requests: new Map<string, number[]>(), beats: new Map<string, number[]>() };

    const watched = async (
      name: string,
      work: () => Promise<Pick<Held, 'status' | 'bytes' | 'text'>>,
    ) => {
      await product.ask('watch');
      const answer = await work();
      const hold = await product.ask<Hold>('held');
      return { name, ...answer, ...hold };
    };
    const inquire = async (whale: HeldFacts['whales'][number]): Promise<Held[]> => {
      const things: Things = { ...whale, stocks };
      const all: Held[] = [];
      for (const [name, channels] of largestSnapshots(things))
        all.push(await watched(name, () => subscribeTo(port, whale.token, channels)));
      for (const name of INQUIRED) {
        // Stopped bots must be off before their owner is deleted.
        if (name === 'deleteUser')
          for (let run = 0; run < 5; run += 1) await product.ask('beat', 'runBots');
        all.push(await watched(name, () => send(port, largestRequest(name, things), whale.token)));
      }
      return all;
    };
    const beats = async (): Promise<Held[]> => {
      const all: Held[] = [];
      for (const beat of BEATS)
        all.push(
          await watched(beat, () =>
            product.ask('beat', beat).then(() => ({ status: 'beat', bytes: 0 })),
          ),
        );
      return all;
    };
    const note = (figures: Map<string, number[]>, all: readonly Held[]): Sample => {
      for (const one of all) {
        figures.set(one.name, [...(figures.get(one.name) ?? []), one.held]);
        if (one.held >= (worst.get(one.name)?.held ?? 0)) worst.set(one.name, one);
      }
      return { figure: Math.max(...all.map(({ held }) => held)) };
    };
    const medianOf = (name: string): number =>
      median(rounded.requests.get(name) ?? rounded.beats.get(name) ?? [0]);
    const longest = (figures: ReadonlyMap<string, number[]>): Sample => ({
      figure: Math.max(...[...figures.keys()].map(medianOf)),
    });
    const first = whales[0];
    if (!first) throw new Error('there is no whale');
    await inquire(first);
    return {
      async round(number) {
        const whale = whales[1 + (number % rounds)];
        if (!whale) throw new Error('there is no whale left');
        const own = await beats();
        return [note(rounded.requests, await inquire(whale)), note(rounded.beats, own)];
      },
      // Every name by the median of its rounds: with two hundred names, some round of some name always meets a neighbour.
      judged: () => [longest(rounded.requests), longest(rounded.beats)],
      notes: () => {
        const all = [...worst.values()].toSorted((one, other) => other.held - one.held);
        const refused = all.filter(({ status }) => typeof status === 'number' && status !== 200);
        return [
          ...all.slice(0, 15).map((one) => noteOf(one, medianOf(one.name))),
          `P24: refused, so measured only as a refusal: ${refused.map(({ name, status, text }) => `${name} (${status} ${text?.slice(29, 120)})`).join('\n  ') || 'none'}`,
        ];
      },
      async close() {
        await product.end();
        folder.remove();
      },
    };
  },
);
