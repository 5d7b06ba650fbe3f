/**
 * What earnings and withdrawals are in. Of before it is known by the charge that paid, or the account that was paid to: those of the
 * simulation name themselves. What was not simulated counts as USD. Withdrawals of who earned in the simulation alone are of it, too.
 */
export const moneyOfEarnings = `
ALTER TABLE earnings ADD COLUMN money TEXT NOT NULL DEFAULT 'live';
ALTER TABLE withdrawals ADD COLUMN money TEXT NOT NULL DEFAULT 'live';
UPDATE earnings SET money = 'simulated'
WHERE invoice_id IN (SELECT id FROM invoices WHERE substr(charge_ref, 1, 10) = 'simulated-');
UPDATE withdrawals SET money = 'simulated'
WHERE source_id IN (SELECT id FROM payment_sources WHERE substr(gateway_ref, 1, 10) = 'simulated:')
  OR (user_id IN (SELECT user_id FROM earnings WHERE money = 'simulated')
    AND user_id NOT IN (SELECT user_id FROM earnings WHERE money = 'live' AND invoice_id IS NOT NULL));
UPDATE earnings SET money = 'simulated'
WHERE withdrawal_id IN (SELECT id FROM withdrawals WHERE money = 'simulated');
`;
