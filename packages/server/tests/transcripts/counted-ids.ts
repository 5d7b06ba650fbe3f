import { id } from '@slipstream/domain';
import type { Ids } from '@slipstream/ports';

/** Ids in the order in which they are made. What is made unseen has others in each world, and what is made later the same again. */
export function countedIds() {
  let [block, made] = ['0', 0];
  const begin = (next: string): void => void ([block, made] = [next, 0]);
  const ids: Ids = {
    next: () =>
      id(`01988f4e-${block.padEnd(4, '0')}-7000-8000-${String((made += 1)).padStart(12, '0')}`),
  };
  const unseen = async <Made>(which: 'one' | 'other', make: () => Promise<Made>): Promise<Made> => {
    const [before, place] = [block, which === 'one' ? '1' : '2'];
    begin(`${before.slice(0, 1)}${place}`);
    const result = await make();
    begin(String(Number(before.slice(0, 1)) + 1));
    return result;
  };
  return { ids, unseen, isUnseen: (one: string) => !one.startsWith('000', 10) };
}
