import { describe, expect, it } from '@jest/globals';
import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { DEFAULT_SETTINGS, LiveState, createApplication } from '../src/index.js';

const settings = { ...DEFAULT_SETTINGS, market: 'push' } as const;
const opened = (marketKind: 'push' | undefined) => {
  const ports = memoryPorts();
  const options = marketKind === undefined ? {} : { marketKind };
  const live = new LiveState(ports.tradingHours, settings.quoteFreshFor, options);
  return () => createApplication(ports, settings, live);
};

describe('the live state that a host makes, to share it with its brokers', () => {
  it('is of the kind of market that the settings name', () => {
    expect(opened('push')).not.toThrow();
  });

  it('is refused by name otherwise: records would tell another source of their prices', () => {
    expect(opened(undefined)).toThrow(
      'the live state is of the market unknown, the settings name push',
    );
  });
});
