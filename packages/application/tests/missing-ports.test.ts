import { memoryPorts } from '@slipstream/adapter-memory/testing';
import { describe, expect, it } from '@jest/globals';
import type { Ports } from '@slipstream/ports';
import { createApplication } from '../src/index.js';

const OPTIONAL = ['announcedActions', 'marketCalendar', 'disk', 'reportPages'];
const MORE = ['timestampAuthority', 'endpointSender'];
const isOptional = (name: string): boolean => [...OPTIONAL, ...MORE].includes(name);

describe('an application whose host has forgotten a port', () => {
  const ports = memoryPorts();
  const without = (...names: string[]): Ports => ({
    ...ports,
    ...Object.fromEntries(names.map((name) => [name, undefined])),
  });

  it.each(Object.keys(ports).filter((name) => !isOptional(name)))(
    'is not made, and says which: %s',
    (name) => {
      expect(() => createApplication(without(name))).toThrow(
        `createApplication is not given these ports: ${name}`,
      );
    },
  );

  it('says all that are missing', () => {
    const nothing = {} as unknown as Ports;
    expect(() => createApplication(nothing)).toThrow(/: .*unitOfWork.*brokers.*passwords/);
  });

  it('is made without those that are optional', () => {
    expect(() => createApplication(without(...OPTIONAL, ...MORE))).not.toThrow();
  });

  it('does not take brokers that are no Map', () => {
    const brokers = [] as unknown as Ports['brokers'];
    const object = {} as unknown as Ports['brokers'];
    expect(() => createApplication({ ...ports, brokers: object })).toThrow(/must be a Map/);
    expect(() => createApplication({ ...ports, brokers })).toThrow(/must be a Map/);
  });
});
