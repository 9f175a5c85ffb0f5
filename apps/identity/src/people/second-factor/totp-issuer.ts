/** What authenticator apps call this Bearing. A class, so that it can be asked for by its type. */
export class TotpIssuer {
  constructor(readonly name: string) {}
}
