import { randomUUID } from 'node:crypto'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { createUser, grantMembership, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'

/** Claims end after a minute. */
const CLAIMS_MS = 30_000

/** An admin of an organization that calls a service over NATS. */
export class Caller {
  private signed = { claims: Promise.resolve(''), atMs: -Infinity }

  private constructor(
    readonly client: NatsClient,
    readonly organizationId: string,
    private readonly audience: 'location' | 'management',
    private readonly user: { readonly email: string; readonly secret: string },
  ) {}

  static async open(connection: Connection, audience: Caller['audience']): Promise<Caller> {
    const client = new NatsClient(connection)
    const organizationId = randomUUID()
    const user = { email: `${organizationId}@example.com`, secret: 'a good password' }
    const { claims } = await client.call(issueServiceClaims, { name: 'operator', audience: 'identity' })
    const { user_id } = await client.call(
      createUser,
      { email: user.email, password: user.secret },
      { claims },
    )
    const membership = { organization_id: organizationId, user_id, role: 'admin' as const }
    await client.call(grantMembership, membership, { claims })
    return new Caller(client, organizationId, audience, user)
  }

  claims(): Promise<string> {
    if (performance.now() - this.signed.atMs > CLAIMS_MS)
      this.signed = { claims: this.introspect(), atMs: performance.now() }
    return this.signed.claims
  }

  private async introspect(): Promise<string> {
    const scope = { audience: this.audience, organization_id: this.organizationId }
    const seen = await this.client.call(introspectCredential, { kind: 'user', ...this.user, ...scope })
    if (!seen.active || seen.claims === undefined) throw new Error('the user of the bench is not known')
    return seen.claims
  }
}
