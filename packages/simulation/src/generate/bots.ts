import fc from 'fast-check';
import { VENUE_TROUBLES } from '../story/story.js';
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

/** Something happens to accounts and stocks at Alpaca. */
export const troubles: Commands = [
  {
    weight: 50,
    arbitrary: fc.record({
      do: fc.constant('trouble' as const),
      what: fc.constantFrom(...VENUE_TROUBLES),
      bot: fc.nat({ max: 2 }),
      stock: place,
    }),
  },
];

/** Openings and closings of New York are at 14:30 and 21:00 UTC in the winter of the stories. */
const rebalance = fc.constantFrom(
  { band: 5 },
  { cooldownHours: 1 },
  { band: 5, cooldownHours: 1 },
  { cooldownHours: 24 },
  { at: '10:30' },
  { at: '15:30', band: 5 },
);

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
      real: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
      rebalance: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: rebalance },
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
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('updateBot' as const),
      bot: fc.nat({ max: 2 }),
      rebalance: fc.oneof(rebalance, fc.constant('every_trade' as const)),
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
