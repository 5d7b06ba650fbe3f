// Jest's global setup: modules for the tests, the program that they start, and a database for those that ask for one.
import process from 'node:process';
import { offerDatabase } from './test-database/offer.mjs';
import { compileAll } from './test-modules/compile.mjs';
import { bundleProgram, testProgram } from './test-program.mjs';

export default async function setup() {
  offerDatabase();
  await Promise.all([compileAll(), bundleProgram()]);
  process.env.TEST_PROGRAM = testProgram;
}
