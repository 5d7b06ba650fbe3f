import fc from 'fast-check';
import { type Commands, maybeOther, place, user } from './shared.js';

/** The owner of an account trades in it. */
export const byHand: Commands[number] = {
  weight: 1,
  arbitrary: fc.record({
    do: fc.constant('foreignTrade' as const),
    bot: fc.nat({ max: 2 }),
    stock: place,
    dollars: fc.integer({ min: -3000, max: 3000 }),
  }),
};

/** Commands for bots and their accounts. */
export const bots: Commands = [
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('newBot' as const),
      by: user,
      strategies: fc.array(place, { minLength: 1, maxLength: 2 }),
      leverage: fc.constantFrom(50, 100, 150),
      closeOnStop: fc.boolean(),
      rebalanceOnStart: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      join: fc.oneof(
        { weight: 5, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constant('new_only' as const) },
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('startBot' as const),
      bot: fc.nat({ max: 2 }),
      by: maybeOther,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('stopBot', 'resetBot', 'deleteBot' as const),
      bot: fc.nat({ max: 2 }),
      by: maybeOther,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateBot' as const),
      bot: fc.nat({ max: 2 }),
      leverage: fc.constantFrom(20, 80, 120),
    }),
  },
  byHand,
  { weight: 6, arbitrary: fc.record({ do: fc.constant('runBots' as const) }) },
];

/** Halts of trading, and their end. */
export const halts: Commands = [
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('haltTrading' as const),
      bot: fc.nat({ max: 2 }),
      rank: fc.constantFrom('operator', 'owner' as const),
      scope: fc.constantFrom('all', 'broker', 'user', 'bot' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('resumeTrading' as const),
      halt: fc.nat({ max: 2 }),
    }),
  },
];
