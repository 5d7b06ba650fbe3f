/** What the simulation has seen of a bot with a paced rebalance. */
export interface SeenPace {
  /** The rule since when this counts, as it is stored. */
  readonly rule: string;
  /** The bot started, or its rule was set. */
  readonly since: number;
  /** When it last ordered an increase that its rule governs. */
  increasedAt: number | undefined;
  /** It was in line after that increase. */
  wasInLine: boolean;
  /** It went on once more with a rebalance that was not in line after its hour. */
  isAgain: boolean;
  /** The stocks with a reducing order since it was last in line: the other part of a turn follows at once. */
  readonly turning: Set<string>;
}
