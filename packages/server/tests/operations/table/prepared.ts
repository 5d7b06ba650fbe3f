import { type Operation, type OperationName, operations } from '@slipstream/wire';
import { OPERATOR_TOKEN } from '../../helpers/composed-server.js';
import { rowOf } from './rows.js';
import { type Fields, type Scene, withRealIds } from './scene.js';

/** The token that the operation is sent with; undefined if it takes none. */
export async function tokenFor(name: OperationName, scene: Scene): Promise<string | undefined> {
  const { auth }: Operation = operations[name];
  if (auth === 'operator') return OPERATOR_TOKEN;
  return auth === 'none' ? undefined : ((await rowOf(name).token?.(scene)) ?? scene.owner);
}

/** The worked example with real ids, and all that it takes for granted. */
export async function prepared(name: OperationName, scene: Scene): Promise<Fields> {
  const { prepare, fields } = rowOf(name);
  const request = await withRealIds(scene, operations[name].example.request);
  await prepare?.(scene);
  return { ...request, ...(await fields?.(scene)) };
}
