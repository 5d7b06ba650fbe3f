import type { Placeholder } from '../operations/table/scene.js';
import type { Known } from '../transcripts/played-world.js';

/** Followers whose access has ended, each in another way, with the strategy that they followed. */
export const FOLLOWED = {
  left: 'Free',
  'left paid': 'Paid',
  unpaid: 'Paid',
  'never paid': 'Paid',
  excluded: 'Shut',
  'left before private': 'Turned',
} as const;
export type Former = keyof typeof FOLLOWED;
export const FORMER = Object.keys(FOLLOWED) as Former[];

/** Everybody who asks. */
export const READERS = [
  ...FORMER,
  'stranger',
  'nobody',
  'follower of another strategy',
  'token of the owner for figures',
  'token of the owner for another strategy',
  'owner',
] as const;
export type Reader = (typeof READERS)[number];

/** They who may not know what the owner does. */
export const UNTOLD_OF_OWNER: readonly Reader[] = READERS.filter((reader) => reader !== 'owner');
/** They who may not know what a follower does, one of each kind. */
export const UNTOLD_OF_FOLLOWER: readonly Reader[] = ['left', 'stranger', 'nobody', 'owner'];
/** They who also try to write, one of each kind. */
export const WRITERS: readonly Reader[] = [
  'left',
  'stranger',
  'token of the owner for another strategy',
  'owner',
];

/** They who also ask for what they cannot know of, to find out whether there is one: all kinds of rights. */
export const PROBING: readonly Reader[] = [...WRITERS, 'nobody', 'token of the owner for figures'];

export const isHidden = (whose: 'owner' | 'follower', reader: Reader): boolean =>
  (whose === 'owner' ? UNTOLD_OF_OWNER : UNTOLD_OF_FOLLOWER).includes(reader);

const strategyOf: Readonly<Partial<Record<Reader, string>>> = FOLLOWED;

/** What a reader asks for by its id. Of the strategies a former follower asks for the one that was followed. */
export const knownTo = (reader: Reader, known: readonly Known[], kind: Placeholder): Known[] =>
  known.filter(
    (one) =>
      one.kind === kind &&
      (one.of ?? reader) === reader &&
      (kind !== 'strategy' || (strategyOf[reader] ?? one.label) === one.label),
  );
