// Jest's global setup: bundles for the tests, and a database for those that ask for one.
import { join } from 'node:path';
import process from 'node:process';
import { bundleAll } from './test-bundles/build.mjs';
import places from './test-bundles/places.cjs';
import { offerDatabase } from './test-database/offer.mjs';

export default async function setup() {
  offerDatabase();
  await bundleAll();
  process.env.TEST_PROGRAM = join(places.programFolder, 'main.mjs');
}
