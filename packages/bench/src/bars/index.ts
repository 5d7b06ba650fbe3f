import type { Bar } from '../bar.js';
import { alertBars } from './alerts.js';
import { fanOutBars } from './fan-out.js';
import { hostile } from './hostile.js';
import { kernelMemory } from './kernel-memory.js';
import { mixed } from './mixed.js';
import { noHold } from './no-hold.js';
import { orderBatchBars } from './order-batch.js';
import { placeAndCancel } from './place-and-cancel.js';
import { reads } from './reads.js';
import { restart } from './restart.js';
import { revaluationBars } from './revaluation.js';
import { triggerCheck } from './trigger-check.js';

/** Every bar, in the order in which they are measured. */
export const bars: readonly Bar[] = [
  ...alertBars,
  ...orderBatchBars,
  ...revaluationBars,
  kernelMemory,
  triggerCheck,
  placeAndCancel,
  ...fanOutBars,
  reads,
  restart,
  mixed,
  noHold,
  hostile,
];
