import { type Listed, isAlive } from './roster.js';

/** Another process, and how long it has been silent for certain. */
export interface Watched extends Listed {
  /** At least so many milliseconds, whatever the clock of the database was set to. */
  readonly silentFor: number;
}

/** A sign of life, and how old it was when it was first seen: by the clock of the database, and for certain. */
interface Sight {
  readonly renewed: number;
  readonly age: number;
  readonly silentFor: number;
  readonly at: number;
}

/** When the processes were listed last, by the own clock and by that of the database. */
interface Look {
  readonly at: number;
  readonly there: number;
}

/**
 * How long ago other processes showed a sign of life. The clock of the database may be set, ahead or back, and no answer from memory may
 * rest on it. So from the first sight of a sign its age grows by the clock of this process, and before it counts only
 * as far as that clock cannot have been set ahead since the look before.
 */
export class Silence {
  private sights: ReadonlyMap<string, Sight> = new Map();
  private last: Look | undefined;

  /** What was listed between two moments by the clock of the process. */
  watched(listed: readonly Listed[], askedAt: number, at: number): readonly Watched[] {
    const { last, sights } = this;
    const [any] = listed;
    const there = any ? any.renewed / 1_000 + any.age : 0;
    const setAhead = last ? Math.max(0, there - last.there - Math.max(0, askedAt - last.at)) : null;
    const sightOf = ({ id, renewed, age }: Listed): Sight => {
      const known = sights.get(id);
      if (known?.renewed === renewed) return known;
      const told = Math.max(0, age);
      const silentFor = setAhead === null ? 0 : Math.max(0, told - setAhead);
      return { renewed, age: setAhead === null ? told : silentFor, silentFor, at };
    };
    const seen = listed.map((one) => ({ one, sight: sightOf(one) }));
    this.sights = new Map(seen.map(({ one, sight }) => [one.id, sight]));
    this.last = { at, there };
    return seen.map(({ one, sight }) => {
      const since = Math.max(0, askedAt - sight.at);
      return { ...one, age: sight.age + since, silentFor: sight.silentFor + since };
    });
  }
}

/** Whether nobody need wait for it: it is not alive, and answers from memory no more. */
export const hasEnded = (one: Watched): boolean => !isAlive(one) && one.silentFor >= one.readLease;
