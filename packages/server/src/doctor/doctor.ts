import { randomUUID } from 'node:crypto';
import { createClient } from '@slipstream/client';
import { idleSettings } from '../settings/idle-settings.js';
import { SettingError } from '../settings/setting-error.js';
import {
  type ServerSettings,
  misspeltSettings,
  quotedSettings,
  readSettings,
} from '../settings/settings.js';
import { type Finding, findingsAbout } from './finding.js';
import { diskFindings, keyFindings } from './machine.js';
import { addressFindings, brokerFindings, mailFindings } from './outside.js';
import { paymentFindings } from './payments.js';
import { type TestAlert, alertFindings, localUrl, serverFindings } from './running.js';
import { databaseFindings, ledgerFindings } from './stored.js';

/** What the doctor looks at. */
export interface Visit {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => number;
  /** An alert to try; without it none is. */
  readonly alert?: TestAlert | undefined;
  /** Whether to read the whole database, and add up every book from its trades. */
  readonly thorough: boolean;
  /** Called with each finding as soon as it is known. */
  readonly onFinding: (finding: Finding) => void;
}

function settingFindings(environment: Visit['environment']): {
  readonly found: readonly Finding[];
  readonly settings?: ServerSettings;
} {
  const { good, doubtful, bad } = findingsAbout('settings');
  const misspelt = misspeltSettings(environment).map((line) =>
    doubtful(line, 'Correct the name, or take it away.'),
  );
  try {
    const settings = readSettings(environment);
    const open =
      settings.SIGNUP === 'open' &&
      settings.CONFIRM_EMAIL === 'off' &&
      settings.PUBLIC_URL !== undefined;
    return {
      found: [
        ...misspelt,
        good('every setting can be used'),
        ...quotedSettings(environment).map((line) =>
          doubtful(
            line,
            'Take the quotes away, unless they belong to it: what was encrypted with a master key in quotes needs them.',
          ),
        ),
        ...idleSettings(environment).map((line) =>
          doubtful(line, 'Set what it needs, or take it away.'),
        ),
        ...(open
          ? [
              doubtful(
                'anybody may sign up without a confirmed address',
                'Set SMTP_URL, or SIGNUP=closed.',
              ),
            ]
          : []),
      ],
      settings,
    };
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const problems = error.message.split('\n');
    return {
      found: [
        ...misspelt,
        ...problems.map((line) => bad(line, 'Correct this setting: README, "Settings".')),
      ],
    };
  }
}

/** Looks at the settings, this machine, the database, the server and what is outside, in the order in which it is mended. Changes nothing. */
export async function examine(visit: Visit): Promise<Finding[]> {
  const { environment, now, alert, thorough, onFinding } = visit;
  const all: Finding[] = [];
  const tell = (found: readonly Finding[]): void => {
    all.push(...found);
    found.forEach(onFinding);
  };
  const { found, settings } = settingFindings(environment);
  tell(found);
  // Nothing else can be known without them.
  if (!settings) return all;
  tell(await diskFindings(settings));
  tell(keyFindings(settings));
  tell(await databaseFindings(settings, now));
  if (thorough) tell(await ledgerFindings(settings));
  const local = localUrl(settings);
  tell(await serverFindings(local));
  tell(await brokerFindings(settings, now));
  tell(await mailFindings(settings));
  tell(await paymentFindings(settings));
  tell(await addressFindings(settings, now));
  if (alert) {
    const url = settings.PUBLIC_URL ?? local;
    const { token } = alert;
    const options = { url, newKey: randomUUID, waitForServer: false };
    const clients = {
      client: createClient({ ...options, token }),
      stranger: createClient(options),
    };
    tell(await alertFindings(clients, url, alert));
  }
  return all;
}
