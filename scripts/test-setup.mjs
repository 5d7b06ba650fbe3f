// Jest's global setup: bundles for the tests, and a database for those that ask for one.
import { bundleAll } from './test-bundles/build.mjs';
import { offerDatabase } from './test-database/offer.mjs';

export default async function setup() {
  offerDatabase();
  await bundleAll();
}
