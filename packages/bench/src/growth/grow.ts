import { startProgram } from '../program.js';
import type { Dimension, Effort, Grown, Measured } from './dimension.js';

async function measureSize({ id }: Dimension, size: number, effort: Effort): Promise<Measured> {
  const program = await startProgram('one-size');
  try {
    return { size, figures: await program.ask<number[]>('measure', { id, size, effort }) };
  } catch (error) {
    return { size, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await program.end();
  }
}

/** Measures every size of a dimension, one after the other, each in its own process. */
export async function grow(dimension: Dimension, effort: Effort): Promise<Grown> {
  const measured: Measured[] = [];
  for (const size of effort.quick ? dimension.quickSizes : dimension.sizes)
    measured.push(await measureSize(dimension, size, effort));
  const { measure: _, ...described } = dimension;
  return { dimension: described, measured };
}
