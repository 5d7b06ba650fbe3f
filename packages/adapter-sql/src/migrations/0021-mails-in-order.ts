export const mailsInOrder = `
ALTER TABLE mails ADD COLUMN urgency INTEGER NOT NULL DEFAULT 1;
ALTER TABLE mails ADD COLUMN failure TEXT;
`;
