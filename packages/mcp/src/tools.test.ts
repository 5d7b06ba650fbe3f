import { describe, expect, it } from '@jest/globals';
import { operations } from '@slipstream/wire';
import { offeredTools } from './tools.js';

const reading = [...offeredTools(false).values()];
const writing = [...offeredTools(true).values()];
const named = (name: string) => offeredTools(true).get(name)?.tool;

describe('the tools of a read-only server', () => {
  it('all say that they only read, and call nothing that changes anything', () => {
    expect(reading.length).toBeGreaterThan(30);
    for (const { tool, use, operation } of reading) {
      expect([tool.name, use, tool.annotations?.readOnlyHint]).toEqual([operation, 'read', true]);
      const { method } = operations[operation];
      expect([operation, method === 'GET' || operation.startsWith('preview')]).toEqual([
        operation,
        true,
      ]);
    }
  });
});

describe('the tools of a server that writes', () => {
  it('prepare, and one commits', () => {
    const others = writing.filter(({ use }) => use !== 'read');
    expect(others.filter(({ use }) => use === 'commit').map(({ tool }) => tool.name)).toEqual([
      'commitPlan',
    ]);
    for (const { tool, use } of others)
      expect(tool.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: use === 'commit',
        idempotentHint: use === 'commit',
      });
    expect(named('newOrder')).toBeUndefined();
    expect(named('prepare_newOrder')).toBeDefined();
  });

  it('are none about money, tokens, passwords and webhooks, and none that takes or shows a secret', () => {
    const names = writing.map(({ tool }) => tool.name);
    for (const name of [
      ...['newToken', 'newSession', 'updatePassword', 'newWithdrawal', 'newPaymentSource'],
      ...[
        'newEndpoint',
        'updateEndpoint',
        'deleteUser',
        'newAlertTemplate',
        'newConnection',
        'finishConnection',
        'newQuotes',
      ],
    ])
      expect(names).not.toContain(`prepare_${name}`);
    for (const { tool } of writing) {
      const fields = Object.keys(tool.inputSchema.properties ?? {});
      expect(
        fields.filter((field) => /password|totp|credential|^token$|secret/.test(field)),
      ).toEqual([]);
    }
    expect(named('prepare_newBot')?.inputSchema.properties).not.toHaveProperty('credentials');
  });

  it('say what each takes', () => {
    for (const { tool } of writing) {
      expect(tool.description).toMatch(/\w{3}/);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(named('prepare_newOrder')?.inputSchema.required).toEqual(
      expect.arrayContaining(['strategy_id', 'stock_id', 'action']),
    );
  });
});
