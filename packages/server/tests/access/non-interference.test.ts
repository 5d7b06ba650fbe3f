import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { type OperationName, operations } from '@slipstream/wire';
import { OVER_NODES, itOne } from '../helpers/three-nodes.js';
import type { Placeholder } from '../operations/table/scene.js';
import { CHANNEL_KINDS } from '../transcripts/channels.js';
import { NEVER_HIDDEN, NOT_ASKED, kindsNamedBy, requestsOf } from '../transcripts/requests.js';
import { type Transcript, aReader, differences } from '../transcripts/transcripts.js';
import { askerOf } from './askers.js';
import { READERS, type Reader, UNTOLD_OF_FOLLOWER, UNTOLD_OF_OWNER } from './readers.js';
import { type World, playWorld } from './world.js';

const NAMES = Object.keys(operations) as OperationName[];
const isRead = (name: OperationName): boolean => operations[name].method === 'GET';
const ASKED = NAMES.filter((name) => !(name in NOT_ASKED));
const ONE = 0;
const OTHER_OWNER = 1;
const OTHER_FOLLOWER = 2;

describe('what is hidden from a reader', () => {
  let worlds: World[] = [];
  const transcripts: Map<Reader, Transcript>[] = [];
  beforeAll(async () => {
    if (OVER_NODES) return;
    worlds = [
      await playWorld({ owner: 'one', follower: 'one' }),
      await playWorld({ owner: 'other', follower: 'one' }),
      await playWorld({ owner: 'one', follower: 'other' }),
    ];
    for (const [place, world] of worlds.entries()) {
      const names = [READERS, READERS, UNTOLD_OF_FOLLOWER][place] ?? [];
      const readers = names.map((name) => {
        const asker = askerOf(name, worlds[ONE] ?? world);
        return { name, asker, ...aReader(world, name, asker) };
      });
      const ask = async (isAsked: (name: OperationName) => boolean): Promise<void> => {
        for (const { asker, ask: asks } of readers)
          for (const name of ASKED.filter(isAsked)) await asks(requestsOf(name, asker));
      };
      await ask(isRead);
      for (const { listen } of readers) await listen();
      await ask((name) => !isRead(name));
      for (const { open } of readers) open();
      transcripts.push(new Map(readers.map(({ name, told }) => [name, told])));
    }
  });
  afterAll(async () => {
    for (const world of worlds) await world.close();
  });

  const told = (place: number, reader: Reader): Transcript =>
    transcripts[place]?.get(reader) ?? new Map();

  const it = itOne('its ids are counted by one process');

  it.each(UNTOLD_OF_OWNER)('of what the owner does is told by nothing to: %s', (reader) => {
    expect(differences(told(ONE, reader), told(OTHER_OWNER, reader))).toEqual([]);
  });

  it.each(UNTOLD_OF_FOLLOWER)('of what a follower does is told by nothing to: %s', (reader) => {
    expect(differences(told(ONE, reader), told(OTHER_FOLLOWER, reader))).toEqual([]);
  });

  it('is different between the worlds, as they know who may see it', () => {
    const seen = differences(told(ONE, 'owner'), told(OTHER_OWNER, 'owner')).join('\n');
    const own = ['getOrders', 'getPositions', 'getTrades', 'getAlerts', 'getTokens', 'getBots'];
    const missing = [...own, 'wsOrders', 'wsPositions', 'wsAlerts'].filter(
      (name) => !seen.includes(name),
    );
    expect(missing).toEqual([]);
  });

  it('is asked for by every read and every channel, and named where it can be', () => {
    const left = NAMES.filter((name) => isRead(name) && !ASKED.includes(name));
    const { owner, follower } = worlds[ONE]?.hidden ?? { owner: {}, follower: {} };
    const isNamed = (kind: Placeholder): boolean =>
      [owner, follower].some((ids) => (ids[kind] ?? []).length > 0);
    const kinds = [...ASKED.flatMap(kindsNamedBy), ...CHANNEL_KINDS.map(([, kind]) => kind)];
    const unnamed = kinds.filter((kind) => !isNamed(kind) && !(kind in NEVER_HIDDEN));
    const [first] = worlds;
    const askers = first ? READERS.map((reader) => askerOf(reader, first)) : [];
    const silent = NAMES.filter(
      (name) =>
        ASKED.includes(name) && askers.every((asker) => requestsOf(name, asker).length === 0),
    );
    expect({ left, unnamed, silent }).toEqual({ left: [], unnamed: [], silent: [] });
  });
});
