import type { Stores } from '@slipstream/ports';
import type { Bug } from './bug.js';
import { withReadStores, withStores } from './wrap.js';

const resendDoneAgain: Bug = {
  name: 'resend_done_again',
  mistake: 'the same alert is carried out again, answered or not',
  breaks: ['W1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ alerts }) => ({
      alerts: { ...alerts, find: async () => undefined },
    })),
  }),
};

const answersUnnoticed: Bug = {
  name: 'answers_unnoticed',
  mistake: 'answers of alerts are not recorded, so the next step counts as a repeat',
  breaks: ['W1'],
  wrapApplication: (application) => ({
    ...application,
    requests: { ...application.requests, alertAnswered: () => undefined },
  }),
};

const alertsForgotten: Bug = {
  name: 'restart_forgets_alerts',
  mistake: 'after a restart every alert counts as answered',
  breaks: ['W1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withReadStores(ports.unitOfWork, ({ alerts }) => ({
      alerts: { ...alerts, answeredSince: async () => [] },
    })),
  }),
};

const alertIdIgnored: Bug = {
  name: 'alert_id_ignored',
  mistake: 'the alert_id is ignored',
  breaks: ['W1'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: withStores(ports.unitOfWork, ({ alerts }) => ({
      alerts: { ...alerts, findFirst: async () => undefined },
    })),
  }),
};

const keyOutside: Bug = {
  name: 'key_outside_the_transaction',
  mistake: 'the row of an Idempotency-Key is written after the change, in a transaction of its own',
  breaks: ['I1', 'O7', 'O8'],
  wrapPorts: (ports) => ({
    ...ports,
    unitOfWork: {
      ...ports.unitOfWork,
      async run(work, options) {
        const rows: Parameters<Stores['keptAnswers']['save']>[0][] = [];
        const answer = await withStores(ports.unitOfWork, ({ keptAnswers }) => ({
          keptAnswers: {
            ...keptAnswers,
            add: async (row) => rows.push(row) > 0,
            save: async (row) => void rows.push(row),
          },
        })).run(work, options);
        const row = rows.at(-1);
        if (row) await ports.unitOfWork.run(({ keptAnswers }) => keptAnswers.save(row));
        return answer;
      },
    },
  }),
};

export const repeatingBugs: readonly Bug[] = [
  resendDoneAgain,
  answersUnnoticed,
  alertsForgotten,
  alertIdIgnored,
  keyOutside,
];
