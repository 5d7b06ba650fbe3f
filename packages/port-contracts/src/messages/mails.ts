import { describe, expect, it } from '../testing.js';
import { type AccountCode, type OutgoingMail, id } from '@slipstream/domain';
import { NOON, aCode, aMail } from '../builders/index.js';
import { type OpenStorage, emptyBeforeEach, idsOf, saveAll } from '../storage/storage.js';

export const mailsContract = (open: OpenStorage): void => {
  describe('mails', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<OutgoingMail>(unitOfWork, ({ mails }, mail) => mails.save(mail));
    const due = (now: number, limit = 10) => unitOfWork.read(({ mails }) => mails.due(now, limit));

    it('gives back every field', async () => {
      const mail = aMail({
        subject: 'Früh',
        sealedText: 'a\nb',
        urgency: 2,
        failure: 'no',
        attempts: 3,
        createdAt: NOON - 5,
      });
      await save(mail);
      expect(await due(NOON)).toEqual([mail]);
    });

    it('lists due mails, longest due first, ties by id', async () => {
      await save(
        aMail({ id: id('c') }),
        aMail({ id: id('b') }),
        aMail({ id: id('a'), dueAt: NOON + 1 }),
        aMail({ id: id('d'), dueAt: NOON - 1 }),
      );
      expect(idsOf(await due(NOON))).toEqual(['d', 'b', 'c']);
      expect(idsOf(await due(NOON, 2))).toEqual(['d', 'b']);
    });

    it('lists the most urgent due mails first, however long others are due', async () => {
      await save(
        aMail({ id: id('a'), urgency: 1, dueAt: NOON - 9 }),
        aMail({ id: id('b'), urgency: 2, dueAt: NOON - 10 }),
        aMail({ id: id('c'), urgency: 0 }),
        aMail({ id: id('d'), urgency: 0, dueAt: NOON - 1 }),
        aMail({ id: id('e'), urgency: 0, dueAt: NOON + 1 }),
      );
      expect(idsOf(await due(NOON))).toEqual(['d', 'c', 'a', 'b']);
    });

    it('lists the mails to a user, oldest first', async () => {
      await save(
        aMail({ id: id('a'), createdAt: NOON + 1 }),
        aMail({ id: id('b') }),
        aMail({ id: id('c'), userId: id('user-2') }),
      );
      const list = await unitOfWork.read(({ mails }) => mails.listOf(id('user-1')));
      expect(idsOf(list)).toEqual(['b', 'a']);
    });

    it('replaces by id, and removes', async () => {
      await save(aMail(), aMail({ dueAt: NOON + 1 }), aMail({ id: id('mail-2') }));
      await unitOfWork.run(({ mails }) => mails.remove(id('mail-2')));
      expect(await due(NOON + 1)).toEqual([aMail({ dueAt: NOON + 1 })]);
    });
  });

  describe('account codes', () => {
    const unitOfWork = emptyBeforeEach(open);
    const save = saveAll<AccountCode>(unitOfWork, ({ accountCodes }, code) =>
      accountCodes.save(code),
    );

    it('gives back every field, by digest and by user and purpose', async () => {
      await save(aCode(), aCode({ purpose: 'email_confirmation' }));
      const found = await unitOfWork.read(async ({ accountCodes }) => [
        await accountCodes.find('digest of password_reset'),
        await accountCodes.findOf(id('user-1'), 'password_reset'),
        await accountCodes.findOf(id('user-1'), 'email_confirmation'),
        await accountCodes.findOf(id('user-2'), 'password_reset'),
        await accountCodes.find('none'),
      ]);
      const confirmation = aCode({ purpose: 'email_confirmation' });
      expect(found).toEqual([aCode(), aCode(), confirmation, undefined, undefined]);
    });

    it('keeps only the last code of a user and purpose', async () => {
      await save(aCode({ digest: 'first' }), aCode({ digest: 'second', createdAt: NOON + 1 }));
      const found = await unitOfWork.read(async ({ accountCodes }) => [
        await accountCodes.find('first'),
        (await accountCodes.find('second'))?.createdAt,
      ]);
      expect(found).toEqual([undefined, NOON + 1]);
    });

    it('removes the code of that user and purpose', async () => {
      const another = aCode({ userId: id('user-2'), digest: 'of another' });
      await save(aCode(), aCode({ purpose: 'email_confirmation' }), another);
      await unitOfWork.run(({ accountCodes }) =>
        accountCodes.remove(id('user-1'), 'password_reset'),
      );
      const found = await unitOfWork.read(async ({ accountCodes }) => [
        await accountCodes.find('digest of password_reset'),
        (await accountCodes.find('digest of email_confirmation'))?.purpose,
        await accountCodes.findOf(id('user-2'), 'password_reset'),
      ]);
      expect(found).toEqual([undefined, 'email_confirmation', another]);
    });
  });
};
