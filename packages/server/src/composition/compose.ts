import { aesSecretBox } from '@slipstream/adapter-crypto';
import { type KnownBooks, acceptMasterKey, isUsed } from '@slipstream/application';
import type { Brokers, Log } from '@slipstream/ports';
import type { Container } from 'inversify';
import { type Adapters, closeAdapters, requireAdapters } from './adapters.js';
import { loadBrokers } from './brokers.js';
import { createContainer } from './container.js';
import { SECRET_BOX, UNIT_OF_WORK } from './tokens.js';
import { beginRotation, masterKeys, presentKeys, requireMasterKey } from './secret-key.js';
import type { ServerSettings } from '../settings/settings.js';

/** Every adapter and the application, by their tokens. */
export interface Composition {
  readonly container: Container;
  /** Whether the storage held nothing. */
  readonly wasEmpty: boolean;
  /** Whether there was a master key before this start, as where there are data. */
  readonly hadKey: boolean;
  /** Closes everything, the host's adapters too. May be called twice. */
  close(): Promise<void>;
}

export const once = <Answer>(task: () => Promise<Answer>): (() => Promise<Answer>) => {
  let done: Promise<Answer> | undefined;
  return () => (done ??= task());
};

export interface ComposeOptions {
  /** What happens to the master key: the present one replaces one that was lost, or a new one is put in front of it. */
  readonly key?: 'replaced' | 'rotated';
  /** What is known of the stored books already. */
  readonly books?: KnownBooks | undefined;
  /** What is used in place of the brokers that the settings and the host give. */
  readonly brokers?: (brokers: Brokers) => Brokers;
}

/**
 * Opens the adapters that the settings choose and those of the host. Throws `SettingError` if one of the host's is none, and if the
 * storage's secrets were encrypted with another master key, unless the key is replaced.
 */
export async function compose(
  settings: ServerSettings,
  log: Log,
  adapters: Adapters = {},
  { key, books, brokers = (made) => made }: ComposeOptions = {},
): Promise<Composition> {
  await requireAdapters(adapters, settings);
  const { addBrokers = [], ...ports } = adapters;
  const makeBrokers = await loadBrokers(settings, addBrokers);
  const makeAll: typeof makeBrokers = (parts) => brokers(makeBrokers(parts));
  const container = createContainer(settings, log, makeAll, ports, books);
  const hadKey = presentKeys(settings) !== undefined;
  let wasEmpty: boolean;
  const close = once(async () => {
    try {
      await container.unbindAllAsync();
    } finally {
      await closeAdapters(adapters);
    }
  });
  try {
    const unitOfWork = await container.getAsync(UNIT_OF_WORK);
    wasEmpty = !(await isUsed({ unitOfWork }));
    const storage = {
      isForeign: adapters.unitOfWork !== undefined,
      isUsed: () => Promise.resolve(!wasEmpty),
    };
    const boxOfKeys = async () => aesSecretBox(await masterKeys(settings, storage, log));
    let secretBox = adapters.secretBox ?? (await boxOfKeys());
    if (key === 'replaced') await acceptMasterKey({ unitOfWork, secretBox });
    else await requireMasterKey(unitOfWork, secretBox);
    // Not before: nobody else uses the storage now, and the present key is its own.
    if (key === 'rotated' && !adapters.secretBox) {
      beginRotation(settings);
      secretBox = await boxOfKeys();
      await requireMasterKey(unitOfWork, secretBox);
    }
    container.bind(SECRET_BOX).toConstantValue(secretBox);
  } catch (error) {
    // An adapter that failed to open cannot be closed; its error is thrown.
    await close().catch(() => undefined);
    throw error;
  }
  return { container, wasEmpty, hadKey, close };
}
