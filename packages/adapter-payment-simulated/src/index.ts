export {
  type GatewayFault,
  type GatewayFaults,
  type GatewayMethod,
  gatewayFaults,
} from './faults.js';
export {
  type SimulatedGateway,
  type SimulatedGatewayDeps,
  type SimulatedMoney,
  simulatedGateway,
} from './simulated-gateway.js';
export {
  CHARGED_BACK_AFTER,
  CONFIRMED_AFTER,
  TEST_SOURCES,
  type TestSource,
  type TestToken,
} from './test-cards.js';
