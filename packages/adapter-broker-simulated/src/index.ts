export { type Fault, type FaultScript, type ScriptedFaults, scriptedFaults } from './faults.js';
export { ASKS_FOR as SIMULATED_CREDENTIALS } from './link.js';
export type { SimulatedOptions } from './account-rules.js';
export {
  type SimulatedBroker,
  type SimulatedBrokerDeps,
  type Transfer,
  simulatedBroker,
} from './simulated-broker.js';
