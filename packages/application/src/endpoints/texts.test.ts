import { describe, expect, it } from '@jest/globals';
import { openMemory } from '@slipstream/adapter-memory';
import { aRefusedAlert } from '@slipstream/port-contracts';
import { textOf } from './texts.js';

describe('the text for a messenger', () => {
  it.each([200, 201])(
    'is cut after 1,500 characters, within none, and says so: %i',
    async (narrow) => {
      const reason = 'x'.repeat(narrow) + '📈'.repeat(1_000);
      const alert = { ...aRefusedAlert({}), strategyId: null, reason };
      const needs = { settings: { publicUrl: 'https://example.com' } };
      const text = await openMemory().run((stores) =>
        textOf(needs, stores, { name: 'alert.refused', alert }),
      );
      const [sentence = ''] = text.split('\n');
      expect(Buffer.from(sentence).toString()).toBe(sentence);
      expect(sentence).toMatch(/…$/);
      expect(sentence.length).toBeGreaterThan(1_490);
      expect(sentence.length).toBeLessThanOrEqual(1_500);
    },
  );
});
