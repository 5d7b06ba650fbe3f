/** The heads of all chains of a day under one root, and its stamp. */
export const anchors = `
CREATE TABLE anchors (
  day TEXT NOT NULL PRIMARY KEY,
  made_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  root TEXT NOT NULL,
  branches TEXT NOT NULL,
  stamp TEXT
) STRICT;
CREATE INDEX anchors_unstamped ON anchors (day) WHERE stamp IS NULL;
CREATE TABLE anchor_branches (
  day TEXT NOT NULL,
  branch INTEGER NOT NULL,
  last_chain TEXT NOT NULL,
  leaves TEXT NOT NULL,
  PRIMARY KEY (day, branch)
) STRICT;
CREATE INDEX anchor_branches_by_chain ON anchor_branches (day, last_chain);
`;
