export const reasonsOfStops = 'ALTER TABLE bots ADD COLUMN stop_reason TEXT';
