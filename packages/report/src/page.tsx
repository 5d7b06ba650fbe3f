import type { JSX } from 'preact';
import { STYLE, STYLE_HASH } from './style.js';

interface PageProps {
  readonly name: string;
  /** Markup that this package rendered. */
  readonly parts: readonly string[];
}

/** The file around the parts. Its policy lets through nothing but its own style, which is named by its hash. */
export const Page = ({ name, parts }: PageProps): JSX.Element => (
  <html lang="en">
    <head>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta
        http-equiv="Content-Security-Policy"
        content={`default-src 'none'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`}
      />
      <title>{`${name}: report`}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
    <body>
      <main dangerouslySetInnerHTML={{ __html: parts.join('') }} />
    </body>
  </html>
);
