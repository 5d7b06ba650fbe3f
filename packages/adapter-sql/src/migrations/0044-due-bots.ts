/** Two orders of due bots, by how their last check ended; each answers ids alone. */
export const dueBots = `
DROP INDEX bots_due;
CREATE INDEX bots_due ON bots (next_run_at, id) WHERE attempts = 0;
CREATE INDEX bots_due_again ON bots (next_run_at, id) WHERE attempts > 0;
`;
