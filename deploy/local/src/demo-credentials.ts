/** The demo's address and credentials. */
export interface Demo {
  readonly url: string
  readonly organization: string
  readonly project: string
  readonly email: string
  readonly password: string
  readonly userKey: string
  readonly organizationToken: string
  readonly projectKey: string
  /** How `bearing admin` reaches NATS. Missing if NATS was not started by this program. */
  readonly operator: { readonly natsUrl: string; readonly nkeySeed: string } | undefined
}
