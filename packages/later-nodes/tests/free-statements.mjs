// Prepares statements and lets go of them, turn by turn, so that the collector frees some while no code runs.
import { openHandle } from '@slipstream/adapter-sql/testing';

const TURNS = 200;

const handle = openHandle(':memory:');
let garbage = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  for (let number = 0; number < 50; number += 1) {
    handle.prepare(`SELECT ${number} AS number`).get();
    garbage.push(Array.from({ length: 1000 }, () => turn));
  }
  if (garbage.length > 2000) garbage = [];
  await new Promise((resolve) => setTimeout(resolve, 1));
}
console.log(`${TURNS} turns`);
