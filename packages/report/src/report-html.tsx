import {
  type BotReportContent,
  type ReportClaims,
  type ReportContent,
  type Steps,
  finish,
} from '@slipstream/domain';
import { renderToStaticMarkup } from 'preact-render-to-string';
import type { JSX } from 'preact';
import { claimedCurve, fallCurve, valueCurve } from './charts/curves.js';
import { botParts } from './bot-parts.js';
import { shortTime } from './format.js';
import { Page } from './page.js';
import type { Parts } from './parts.js';
import { Drawdowns } from './sections/drawdowns.js';
import { Figures } from './sections/figures.js';
import { Heading } from './sections/heading.js';
import { Refused, Segments, Trades } from './sections/lists.js';
import { Months } from './sections/months.js';
import { RoundTrips } from './sections/round-trips.js';
import { yearsOf } from './years.js';

interface ValueProps {
  readonly content: ReportContent;
  readonly curve: JSX.Element;
}

/** The curve of the value. */
const Value = ({ content, curve }: ValueProps): JSX.Element => (
  <section>
    <h2>Value</h2>
    <p class="legend quiet">
      <span class="key curve">{content.name}</span>
      {content.benchmark && (
        <span class="key benchmark">
          {content.benchmark.name}, scaled to the same start, without dividends
        </span>
      )}
      <span>Daily closes (UTC), {content.statistics.basis}. A strategy starts at 1.</span>
    </p>
    {curve}
  </section>
);

interface ClaimedProps {
  readonly claimed: ReportClaims;
  readonly curve: JSX.Element;
}

/** What the owner claims, apart from the record. */
const Claimed = ({ claimed: { importedAt, points }, curve }: ClaimedProps): JSX.Element => (
  <section>
    <h2>Before this record: claimed, not proven</h2>
    <p class="legend quiet">
      <span class="key claimed">
        Claimed by the owner, {points[0]?.date} to {points.at(-1)?.date}
      </span>
      <span class="key curve">Recorded by the service</span>
    </p>
    <p class="quiet">
      The owner imported the dashed values on {shortTime(importedAt)} UTC. Nobody checked them: they
      begin at 1 of their own, and no figure of this report counts them.
    </p>
    {curve}
  </section>
);

/** The curve of its falls. */
const Falls = ({ curve }: { readonly curve: JSX.Element }): JSX.Element => (
  <section>
    <h2>Below the highest close</h2>
    {curve}
  </section>
);

/** What the report is made of. */
const About = ({ content: { notes, head, at } }: { readonly content: ReportContent }) => (
  <footer>
    <h2>About this report</h2>
    <ul>
      {notes.map((note) => (
        <li>{note}</li>
      ))}
      <li>
        {head === null
          ? 'The record has no entry yet.'
          : `It is computed of the track record whose last entry has the hash ${head}. "slipstream verify" checks a downloaded record against it.`}
      </li>
      <li>Made at {shortTime(at)} UTC.</li>
    </ul>
  </footer>
);

function* partsOf(content: ReportContent): Parts {
  const { statistics, series, trades, refused, segments, beside } = content;
  yield <Heading content={content} />;
  if (series.length > 1) {
    yield <Value content={content} curve={yield* valueCurve(content)} />;
    yield <Falls curve={yield* fallCurve(content)} />;
  }
  if (content.claimed)
    yield (
      <Claimed claimed={content.claimed} curve={yield* claimedCurve(content, content.claimed)} />
    );
  if (statistics.monthly.length > 0) yield <Months years={yearsOf(statistics.monthly)} />;
  yield <Drawdowns statistics={statistics} />;
  yield (
    <Figures
      {...{ statistics, deflated: content.deflatedSharpe }}
      hasBenchmark={content.benchmark !== null}
    />
  );
  yield <RoundTrips trips={statistics.roundTrips} />;
  yield <Segments segments={segments} />;
  if (trades) yield <Trades trades={trades} beside={beside} />;
  if (refused) yield <Refused refused={refused} beside={beside} />;
  yield <About content={content} />;
}

function* pageInSteps(name: string, parts: Parts): Steps<string> {
  const rendered: string[] = [];
  for (const part of parts) {
    if (part) rendered.push(renderToStaticMarkup(part));
    yield;
  }
  return `<!doctype html>\n${renderToStaticMarkup(<Page name={name} parts={rendered} />)}\n`;
}

/**
 * Reports as one HTML file, in steps of some milliseconds: it loads nothing, runs no script, prints, and follows the reader's
 * light or dark scheme. The same content gives the same text (contract 12).
 */
export const reportPages = {
  ofStrategy: (content: ReportContent): Steps<string> =>
    pageInSteps(content.name, partsOf(content)),
  ofBot: (content: BotReportContent): Steps<string> => pageInSteps(content.name, botParts(content)),
};

/** The same of a strategy without a break. */
export const reportHtml = (content: ReportContent): string =>
  finish(reportPages.ofStrategy(content));
