import type { MailId, Timestamp, UserId } from '@slipstream/domain';
import type { MailStore } from '@slipstream/ports';
import { build, prepared, removal, upsert } from '../storage/queries.js';
import type { Session } from '../storage/session.js';
import { mailColumns } from './columns.js';

const dueMails = prepared<{ now: Timestamp; limit: number }>()((param) =>
  build
    .selectFrom('mails')
    .selectAll()
    .where('due_at', '<=', param('now'))
    .orderBy('urgency')
    .orderBy('due_at')
    .orderBy('id')
    .limit(param('limit')),
);
const mailsOfUser = prepared<{ userId: UserId }>()((param) =>
  build
    .selectFrom('mails')
    .selectAll()
    .where('user_id', '=', param('userId'))
    .orderBy('created_at')
    .orderBy('id'),
);
const saveMail = upsert('mails', mailColumns, 'id');
const removeMail = removal<{ id: MailId }>('mails', 'id');

export const sqlMails = (session: Session): MailStore => ({
  due: (now, limit) => session.list(dueMails({ now, limit }), mailColumns.load),
  listOf: (userId) => session.list(mailsOfUser({ userId }), mailColumns.load),
  save: async (mail) => void session.write(saveMail(mail)),
  remove: async (id) => void session.write(removeMail({ id })),
});
