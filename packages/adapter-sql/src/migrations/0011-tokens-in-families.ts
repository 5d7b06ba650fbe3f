export const tokensInFamilies = `
ALTER TABLE tokens ADD COLUMN parent_id TEXT;
ALTER TABLE tokens ADD COLUMN renewed_by_use INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN last_used_at INTEGER;
CREATE INDEX tokens_by_end ON tokens (expires_at, id) WHERE expires_at IS NOT NULL;
`;
