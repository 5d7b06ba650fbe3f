import { sha256Fingerprints } from '@slipstream/adapter-crypto';
import { checkStamp, readCertificates } from '@slipstream/adapter-timestamp';
import {
  Refusal,
  type ShownEntry,
  type TrackVerdict,
  anchorText,
  namesQuote,
  rootOfProof,
  verifyHashes,
  verifyTrack,
  withBodies,
} from '@slipstream/domain';
import { StampFailed } from '@slipstream/ports';
import { type TrackFile, shownEntriesOf } from '../track-file.js';
import { type CheckedAnchor, isAllowed, lateDays } from './covered-days.js';
import { isDay } from '../../replay/data/times.js';
import { MIN_RETURNS } from '../fewest-returns.js';
import { againstStatistics } from './statistics-file.js';
import type { Findings } from './findings.js';
import { type KnownAnchor, anchorsOfRecord, mergeAnchors, readAnchors } from './kept-anchors.js';
import { textOf } from '../../settings/text-of.js';

const { sha256 } = sha256Fingerprints();

/** What to check beside the record itself. */
export interface VerifyChoices {
  readonly head?: string | undefined;
  readonly anchors?: readonly string[] | undefined;
  readonly ca?: string | undefined;
  readonly allowLate?: readonly string[] | undefined;
  /** An answer of getStrategyStatistics, or the statistics.json of a report. */
  readonly statistics?: string | undefined;
  /** The fewest returns of a return ratio there. */
  readonly minN?: number | undefined;
}

type Certificates = ReturnType<typeof readCertificates>;

async function certificatesOf(file: string | undefined): Promise<Certificates | undefined> {
  if (file === undefined) return undefined;
  try {
    return readCertificates(await textOf(file));
  } catch (error) {
    if (error instanceof StampFailed)
      throw new Refusal('invalid_field', `${file}: ${error.message}`);
    throw error;
  }
}

/** Why the record does not have what the anchor says; undefined when it has. */
function pathFault(
  { day, root, proof }: KnownAnchor,
  entries: readonly ShownEntry[],
): string | undefined {
  if (!proof) return undefined;
  if (rootOfProof(day, proof, sha256) !== root) return 'its path does not lead to its root';
  const { seq, hash } = proof.leaf;
  if (seq > entries.length)
    return `it has ${seq} entries of this record, which has ${entries.length} only`;
  return entries[seq - 1]?.hash === hash
    ? undefined
    : `it has another entry ${seq} than the record`;
}

async function checkAnchor(
  anchor: KnownAnchor,
  entries: readonly ShownEntry[],
  trusted: Certificates | undefined,
): Promise<CheckedAnchor | string> {
  const { day, stamp, proof, isWhole } = anchor;
  const fault = pathFault(anchor, entries);
  if (fault !== undefined) return fault;
  const seq = proof?.leaf.seq ?? (isWhole ? 0 : null);
  if (!stamp) return { day, seq, stampedAt: null };
  try {
    return { day, seq, stampedAt: await checkStamp(stamp, anchorText(anchor), trusted) };
  } catch (error) {
    if (error instanceof StampFailed) return `its stamp proves nothing: ${error.message}`;
    throw error;
  }
}

/** What the anchors prove, without those that fail. */
function notesOf(
  checked: readonly CheckedAnchor[],
  entries: number,
  isTrusted: boolean,
  keptDays: ReadonlySet<string>,
): string[] {
  const notes: string[] = [];
  const [first, last] = [checked[0], checked.at(-1)];
  if (!first || !last) return ['There are no anchors: nothing shows when the entries were made.'];
  const covered = Math.max(0, ...checked.map(({ seq }) => seq ?? 0));
  notes.push(
    `${checked.length} anchors of ${first.day} to ${last.day} hold; they have ${covered} of ${entries} entries.`,
  );
  const stamped = checked.filter(({ stampedAt }) => stampedAt !== null);
  const [bare, newest] = [checked.filter(({ stampedAt }) => stampedAt === null), stamped.at(-1)];
  if (newest) {
    const time = new Date(newest.stampedAt ?? 0).toISOString();
    const upTo = Math.max(0, ...stamped.map(({ seq }) => seq ?? 0));
    const by = isTrusted
      ? 'an authority of your --ca'
      : 'an authority that was not checked: give its certificate by --ca';
    notes.push(`Entries 1 to ${upTo} existed at ${time}, by the word of ${by}.`);
  }
  const ofRecord = bare.filter(({ day }) => !keptDays.has(day)).length;
  if (bare.length > ofRecord)
    notes.push(
      `${bare.length - ofRecord} anchors are untimestamped: they prove only as much as the place where you kept them.`,
    );
  if (ofRecord > 0)
    notes.push(
      `${ofRecord} anchors are untimestamped and came with the record: they prove nothing beside it.`,
    );
  if (covered < entries)
    notes.push(
      `Entries ${covered + 1} to ${entries} are in no anchor yet: nothing proves them but the chain.`,
    );
  return notes;
}

/** Checks a record against anchors. */
async function againstAnchors(
  file: TrackFile,
  entries: readonly ShownEntry[],
  { anchors: files = [], ca, allowLate = [] }: VerifyChoices,
): Promise<Findings> {
  const trusted = await certificatesOf(ca);
  const kept: KnownAnchor[] = [];
  for (const one of files) kept.push(...(await readAnchors(one, file.strategy_id)));
  const { anchors, faults } = mergeAnchors(kept, anchorsOfRecord(file));
  const checked: CheckedAnchor[] = [];
  for (const anchor of anchors) {
    const found = await checkAnchor(anchor, entries, trusted);
    if (typeof found === 'string')
      faults.push(`The anchor of ${anchor.day} does NOT hold: ${found}.`);
    else checked.push(found);
  }
  const notes = notesOf(
    checked,
    entries.length,
    trusted !== undefined,
    new Set(kept.map(({ day }) => day)),
  );
  for (const [day, why] of lateDays(entries, checked)) {
    const sentence = `The day ${day} ${why}`;
    if (isAllowed(day, allowLate)) notes.push(`${sentence}; --allow-late allows it.`);
    else faults.push(`${sentence}. --allow-late ${day} allows it.`);
  }
  return { notes, faults };
}

/** The chain of a record, and the sources of its fills where all bodies are there. */
function chainOf(entries: readonly ShownEntry[], head: string | undefined): TrackVerdict {
  const isWhole = entries.every(({ body }) => body !== null);
  return isWhole
    ? verifyTrack(withBodies(entries), sha256, head)
    : verifyHashes(entries, sha256, head);
}

/** Says what was checked of the fills of a record that has all bodies. */
function fillsNote(entries: readonly ShownEntry[]): string {
  const fills = entries.filter(({ kind }) => kind === 'trade');
  const quoted = fills.filter(({ body }) => body !== null && namesQuote(body)).length;
  const possible =
    'fills are of the kind of market of their segments, at quotes that they could have met.';
  if (quoted === fills.length) return `Its ${quoted} ${possible}`;
  const older = `${fills.length - quoted} of its ${fills.length} fills name no quote: they are older than that, or of a delisting. Nobody can check at which prices they were possible.`;
  return quoted === 0 ? older : `${older} Its other ${quoted} ${possible}`;
}

/** Says where the record came from. */
function contentNotes(entries: readonly ShownEntry[]): string[] {
  const bare = entries.filter(({ body }) => body === null).length;
  if (bare > 0)
    return [
      `${bare < entries.length ? `${bare} of its entries have` : 'It has'} hashes only: that they follow one another is checked, what they are of is not. The owner and active subscribers get the bodies.`,
    ];
  return [
    `${fillsNote(entries)} Its statistics follow from its entries alone: "report --record" computes them, --statistics checks those that you were shown.`,
  ];
}

const NO_ANCHORS: Findings = {
  notes: [
    'It was not checked against anchors (--anchors, --ca): its holder could have made it anew.',
  ],
  faults: [],
};

/** A day, or those from one to another. */
const isSpan = (text: string): boolean => {
  const days = text.split('..');
  return days.length <= 2 && days.every(isDay);
};

/** Checks a record, and anchors and statistics if some are given, from files alone. */
export async function verifyFiles(file: TrackFile, choices: VerifyChoices): Promise<Findings> {
  const wrong = choices.allowLate?.find((text) => !isSpan(text));
  if (wrong !== undefined)
    throw new Refusal(
      'invalid_field',
      `${wrong} is no day like 2026-01-31, nor 2026-01-01..2026-01-31`,
    );
  const entries = shownEntriesOf(file);
  const verdict = chainOf(entries, choices.head);
  if (!verdict.intact)
    return {
      notes: [],
      faults: [`The record is NOT intact at entry ${verdict.seq}: ${verdict.reason}.`],
    };
  const intact = `The record is intact: ${verdict.entries} entries, head ${verdict.head}.`;
  const checks: Findings[] = [{ notes: [intact, ...contentNotes(entries)], faults: [] }];
  if (choices.statistics !== undefined)
    checks.push(await againstStatistics(file, choices.statistics, choices.minN ?? MIN_RETURNS));
  checks.push(
    choices.anchors === undefined && choices.ca === undefined
      ? NO_ANCHORS
      : await againstAnchors(file, entries, choices),
  );
  return {
    notes: checks.flatMap(({ notes }) => notes),
    faults: checks.flatMap(({ faults }) => faults),
  };
}
