import { describe, expect, it } from '@jest/globals';
import { decimal } from '@slipstream/domain';
import { commandOf, commandText } from './command-text.js';

describe('the text of a command gives back the same command', () => {
  it.each([
    {},
    { text: 'x', count: 3, isOn: true, nothing: null },
    { amount: decimal('-0.000000000000000001'), of: [decimal('1'), 'x', [], {}] },
    { list: ['decimal', '1'], inner: [['list'], { decimal: '1' }] },
    { credentials: { $decimal: 'x', list: ['list', 'decimal'] } },
    [decimal('2'), ['decimal', '2']],
  ])('%j', (command) => {
    expect(commandOf(commandText(command))).toEqual(command);
  });

  it('leaves out what is undefined', () => {
    expect(commandOf(commandText({ limit: undefined, name: 'x' }))).toEqual({ name: 'x' });
  });
});
