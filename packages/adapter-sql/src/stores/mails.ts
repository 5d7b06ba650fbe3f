import type { CodePurpose, MailId, Timestamp, UserId } from '@slipstream/domain';
import type { AccountCodeStore, MailStore } from '@slipstream/ports';
import { build, prepared, upsert } from '../queries.js';
import type { Session } from '../session.js';
import { accountCodeColumns, mailColumns } from '../social-tables.js';

const dueMails = prepared<{ now: Timestamp; limit: number }>()((slot) =>
  build
    .selectFrom('mails')
    .selectAll()
    .where('due_at', '<=', slot('now'))
    .orderBy('urgency')
    .orderBy('due_at')
    .orderBy('id')
    .limit(slot('limit')),
);
const mailsOfUser = prepared<{ userId: UserId }>()((slot) =>
  build
    .selectFrom('mails')
    .selectAll()
    .where('user_id', '=', slot('userId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const saveMail = upsert('mails', mailColumns, 'id');
const removeMail = prepared<{ id: MailId }>()((slot) =>
  build.deleteFrom('mails').where('id', '=', slot('id')),
);

export const sqlMails = (session: Session): MailStore => ({
  due: async (now, limit) => session.rows(dueMails({ now, limit })).map(mailColumns.load),
  listOf: async (userId) => session.rows(mailsOfUser({ userId })).map(mailColumns.load),
  save: async (mail) => void session.write(saveMail(mail)),
  remove: async (id) => void session.write(removeMail({ id })),
});

const codeByDigest = prepared<{ digest: string }>()((slot) =>
  build.selectFrom('account_codes').selectAll().where('digest', '=', slot('digest')),
);
const codeOfUser = prepared<{ userId: UserId; purpose: CodePurpose }>()((slot) =>
  build
    .selectFrom('account_codes')
    .selectAll()
    .where('user_id', '=', slot('userId'))
    .where('purpose', '=', slot('purpose')),
);
const saveCode = upsert('account_codes', accountCodeColumns, 'user_id', 'purpose');
const removeCode = prepared<{ userId: UserId; purpose: CodePurpose }>()((slot) =>
  build
    .deleteFrom('account_codes')
    .where('user_id', '=', slot('userId'))
    .where('purpose', '=', slot('purpose')),
);

export const sqlAccountCodes = (session: Session): AccountCodeStore => ({
  find: async (digest) => {
    const row = session.row(codeByDigest({ digest }));
    return row && accountCodeColumns.load(row);
  },
  findOf: async (userId, purpose) => {
    const row = session.row(codeOfUser({ userId, purpose }));
    return row && accountCodeColumns.load(row);
  },
  save: async (code) => void session.write(saveCode(code)),
  remove: async (userId, purpose) => void session.write(removeCode({ userId, purpose })),
});
