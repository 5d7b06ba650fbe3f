export const heldParts = `
ALTER TABLE bots ADD COLUMN existing_positions TEXT NOT NULL DEFAULT 'take_over';
ALTER TABLE bots ADD COLUMN held_parts TEXT NOT NULL DEFAULT '[]';
`;
