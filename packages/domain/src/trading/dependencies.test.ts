import { describe, expect, it } from '@jest/globals';
import { anOpenOrder, ids } from '../../tests/builders.js';
import { dependencyDepth, release } from './dependencies.js';
import { id } from '../ids.js';

describe('release: a closed order leaves every order_dependencies', () => {
  const waiting = anOpenOrder({ id: id('b'), dependsOn: ids('a', 'x') });
  const free = anOpenOrder({ id: id('c') });

  it('keeps the other prerequisites and says which orders changed', () => {
    const { open, released } = release([waiting, free], new Set(ids('a')));
    expect(open).toEqual([{ ...waiting, dependsOn: ids('x') }, free]);
    expect(released).toEqual([{ ...waiting, dependsOn: ids('x') }]);
  });

  it('takes several prerequisites at once', () => {
    const { open } = release([waiting], new Set(ids('a', 'x')));
    expect(open).toEqual([{ ...waiting, dependsOn: [] }]);
  });

  it('changes nothing when nobody depended on it', () => {
    const before = [waiting, free];
    const { open, released } = release(before, new Set(ids('q')));
    expect(open).toBe(before);
    expect(released).toEqual([]);
  });

  it('leaves what it was given as it was', () => {
    release([waiting], new Set(ids('a')));
    expect(waiting.dependsOn).toEqual(ids('a', 'x'));
  });
});

describe('dependencyDepth: how many orders wait in a row', () => {
  const open = [
    anOpenOrder({ id: id('a') }),
    anOpenOrder({ id: id('b'), dependsOn: ids('a') }),
    anOpenOrder({ id: id('c'), dependsOn: ids('a', 'b') }),
  ];

  it.each([
    ['none', [], 0],
    ['a free one', ['a'], 0],
    ['one that waits', ['b', 'a'], 1],
    ['the deepest of several', ['a', 'c', 'b'], 2],
    ['one that is not open', ['x'], 0],
  ])('of %s', (_, named, depth) => {
    expect(dependencyDepth(open, ids(...named))).toBe(depth);
  });
});
