import { type PerformanceEntry, PerformanceObserver, constants } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of a heap from which its garbage costs more memory than is worth the CPU time of collecting it sooner. */
const LARGE = 128 * 1024 * 1024;
/** Percent that the old objects of a large heap grow by between two full collections. By default they may double. */
const GROWTH = 25;

const growAtMost = (percent: number): void =>
  setFlagsFromString(`--heap-growing-percent=${percent}`);

const isFull = (entry: PerformanceEntry): boolean =>
  (entry as PerformanceEntry & { readonly detail?: { readonly kind?: number } }).detail?.kind ===
  constants.NODE_PERFORMANCE_GC_MAJOR;

/**
 * For a process that runs the server, where much is held and each sample replaces some of it.
 * V8 makes every object young: it would learn from the start, when most decimals stay, that decimals do, and make all later ones
 * old, where only a full collection finds those that nobody holds any more. Full collections of a large heap come soon, because
 * the room that garbage took between two of them is hardly ever given back; a small heap has V8's own pace, because an alert
 * would cost a seventh more CPU time.
 */
export function tuneGarbageCollector(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
  let isLarge = false;
  new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFull)) return;
    const wasLarge = isLarge;
    isLarge = getHeapStatistics().used_heap_size > LARGE;
    if (isLarge !== wasLarge) growAtMost(isLarge ? GROWTH : 0);
  }).observe({ entryTypes: ['gc'] });
}
