export {
  type GatewayFault,
  type GatewayFaults,
  type GatewayMethod,
  gatewayFaults,
} from './faults.js';
export {
  CHARGED_BACK_AFTER,
  type SimulatedGateway,
  type SimulatedGatewayDeps,
  type SimulatedMoney,
  simulatedGateway,
} from './simulated-gateway.js';
export { TEST_SOURCES, type TestSource, type TestToken } from './test-cards.js';
