import fc from 'fast-check';
import { type Command, USERS } from '../story/story.js';

/** Commands with their weights. */
export type Commands = readonly fc.WeightedArbitrary<Command>[];

/** A place in a list. */
export const place = fc.nat({ max: 5 });

export const user = fc.constantFrom(...USERS);

/** Mostly the owner. */
export const maybeOther = fc.oneof(
  { weight: 14, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: user },
);
