import type { Basis } from './segments.js';

const PRICES = {
  simulated: 'on simulated prices',
  supplied: 'on prices that the operator of this service supplies',
  hypothetical: 'on prices of real markets, filled without touching the market',
} as const satisfies Record<Basis, string>;

/**
 * What the figures of strategies are, in one sentence (contract 8), and the operator's own text after it.
 * @example
 * disclosureOf('simulated').startsWith('All figures are hypothetical results') // => true
 */
export function disclosureOf(basis: Basis, ownText?: string): string {
  const sentence = `All figures are hypothetical results ${PRICES[basis]}, before the costs of those who follow, and no guarantee of future results.`;
  return ownText === undefined ? sentence : `${sentence} ${ownText}`;
}

/**
 * What the figures of a bot's account are, in one sentence, and the operator's own text after it.
 * @example
 * accountDisclosure(false).startsWith('The account holds play money') // => true
 */
export function accountDisclosure(live: boolean, ownText?: string): string {
  const sentence = `The account holds ${live ? 'real' : 'play'} money: its figures are of what the broker reported, after the costs that it charged. The target beside them is hypothetical, before the costs of those who follow. None is a guarantee of future results.`;
  return ownText === undefined ? sentence : `${sentence} ${ownText}`;
}
