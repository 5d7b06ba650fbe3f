import type { Benchmark } from '../measure/benchmark.js';
import { alertBenchmarks } from './alerts.js';
import { failover } from './nodes/failover.js';
import { fanOutBenchmarks } from './fan-out.js';
import { forwarding } from './nodes/forwarding.js';
import { fronts } from './nodes/fronts.js';
import { hostile } from './hostile.js';
import { kernelMemory } from './kernel-memory.js';
import { manyBots } from './bots/many-bots.js';
import { manyRanks, manyResident } from './many-ranks.js';
import { mirroring } from './bots/mirroring.js';
import { mixed } from './mixed.js';
import { noHold } from './no-hold.js';
import { orderBatchBenchmarks } from './order-batch.js';
import { onPostgres } from './nodes/on-postgres.js';
import { placeAndCancel } from './place-and-cancel.js';
import { reads } from './reads.js';
import { recordStatistics } from './record-statistics.js';
import { replayOfMinutes } from './replay.js';
import { largeRestart, restart } from './restart.js';
import { revaluationBenchmarks } from './revaluation.js';
import { slowDisk } from './slow-disk.js';
import { triggerCheck } from './trigger-check.js';

/** Every benchmark, in the order of measurement. */
export const benchmarks: readonly Benchmark[] = [
  ...alertBenchmarks,
  ...orderBatchBenchmarks,
  ...revaluationBenchmarks,
  kernelMemory,
  triggerCheck,
  placeAndCancel,
  ...fanOutBenchmarks,
  reads,
  restart,
  mixed,
  mirroring,
  manyBots,
  fronts,
  manyRanks,
  noHold,
  manyResident,
  largeRestart,
  slowDisk,
  replayOfMinutes,
  recordStatistics,
  onPostgres,
  failover,
  forwarding,
  hostile,
];
