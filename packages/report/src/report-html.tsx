import { renderToStaticMarkup } from 'preact-render-to-string';
import type { JSX } from 'preact';
import { FallCurve, ValueCurve } from './charts/curves.js';
import type { ReportContent } from './content.js';
import { shortTime } from './format.js';
import { Drawdowns } from './sections/drawdowns.js';
import { Figures } from './sections/figures.js';
import { Heading } from './sections/heading.js';
import { Refused, Segments, Trades } from './sections/lists.js';
import { Months } from './sections/months.js';
import { RoundTrips } from './sections/round-trips.js';
import { STYLE } from './style.js';
import { yearsOf } from './years.js';

/** The curves of the value and of its falls. */
const Curves = ({ content }: { readonly content: ReportContent }): JSX.Element => (
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
    <ValueCurve content={content} />
    <h3>Below the highest close</h3>
    <FallCurve content={content} />
  </section>
);

const Report = ({ content }: { readonly content: ReportContent }): JSX.Element => {
  const { statistics, series, trades, refused, segments, notes, head, at } = content;
  return (
    <main>
      <Heading content={content} />
      {series.length > 1 && <Curves content={content} />}
      {statistics.monthly.length > 0 && <Months years={yearsOf(statistics.monthly)} />}
      <Drawdowns drawdowns={statistics.drawdowns} />
      <Figures statistics={statistics} hasBenchmark={content.benchmark !== null} />
      <RoundTrips trips={statistics.roundTrips} />
      <Segments segments={segments} />
      {trades && <Trades trades={trades} />}
      {refused && <Refused refused={refused} />}
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
    </main>
  );
};

/**
 * A report as one HTML file: it loads nothing, runs no script, prints, and follows the reader's light or dark scheme. The same
 * content gives the same text (contract 12).
 */
export const reportHtml = (content: ReportContent): string => {
  const page = (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <title>{`${content.name}: report`}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <Report content={content} />
      </body>
    </html>
  );
  return `<!doctype html>\n${renderToStaticMarkup(page)}\n`;
};
