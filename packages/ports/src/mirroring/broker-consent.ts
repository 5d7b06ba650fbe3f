/** One question to the user on the broker's page. */
export interface ConsentRequest {
  /** Comes back with the code, unchanged; it works once, for the user who asked for it. */
  readonly state: string;
  /** A secret of at least 43 letters, digits and `_` that only this server knows: it proves who asked for the code. */
  readonly verifier: string;
  /** The page of this service that the broker sends the browser to. */
  readonly returnTo: string;
}

/** Access that a user gives on the broker's own page instead of credentials (OAuth 2.0 with a code). */
export interface BrokerConsent {
  /** The broker's page that asks the user. It shows no secret of this server, and not the verifier. */
  page(request: ConsentRequest): string;
  /**
   * Exchanges a code, which works once, for credentials that `link` takes. Errors repeat neither the code nor a secret.
   * @throws {BrokerRefused} when the broker does not take the code, or the user gave less access than a bot needs.
   * @throws {BrokerUnreachable} when there is no answer that can be read.
   */
  redeem(code: string, request: ConsentRequest): Promise<Readonly<Record<string, string>>>;
}
