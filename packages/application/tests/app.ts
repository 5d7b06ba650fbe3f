import { createApplication } from '../src/index.js';

/** The parts of an application under one name: these tests are of all of them. */
export function createApp(...given: Parameters<typeof createApplication>) {
  const { lifecycle, background, operations, requests, streams } = createApplication(...given);
  const called = Object.create(operations) as typeof operations;
  return Object.assign(called, { ...lifecycle, ...background, ...requests, ...streams });
}

export type App = ReturnType<typeof createApp>;
