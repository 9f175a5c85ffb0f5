import { randomUUID } from 'node:crypto'
import { introspectCredential } from '@bearing/contracts/identity/credentials/credential'
import { createUser, grantMembership, issueServiceClaims } from '@bearing/contracts/identity/people/user'
import { formatMacAddress } from '@bearing/contracts/location/access-points/mac-address'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import { randomPlace } from './places.js'

/** Claims end after a minute. */
const CLAIMS_MS = 30_000

/** Asks a location service where scans were taken, one after the other. */
export class LookUps {
  private claims = { signed: Promise.resolve(''), atMs: -Infinity }

  private constructor(
    private readonly client: NatsClient,
    private readonly stored: number,
    private readonly organizationId: string,
    private readonly user: { readonly email: string; readonly secret: string },
  ) {}

  /** @param stored how many access points the service has */
  static async open(connection: Connection, stored: number): Promise<LookUps> {
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
    return new LookUps(client, stored, organizationId, user)
  }

  /** @returns how long each took, in milliseconds */
  async measure(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.ask(randomPlace(this.stored)))
    return times
  }

  private async ask(bssids: readonly number[]): Promise<number> {
    const claims = await this.signed()
    const accessPoints = bssids.map((bssid, index) => ({
      macAddress: formatMacAddress(bssid),
      signalStrength: -45 - index,
    }))
    const input = { organization_id: this.organizationId, project_id: this.organizationId, accessPoints }
    const began = performance.now()
    const found = await this.client.call(resolveWifiLocation, input, { claims })
    const tookMs = performance.now() - began
    if (found?.accessPoints.used !== accessPoints.length) throw new Error('not all were known')
    return tookMs
  }

  private signed(): Promise<string> {
    if (performance.now() - this.claims.atMs > CLAIMS_MS)
      this.claims = { signed: this.introspect(), atMs: performance.now() }
    return this.claims.signed
  }

  private async introspect(): Promise<string> {
    const scope = { audience: 'location', organization_id: this.organizationId }
    const seen = await this.client.call(introspectCredential, { kind: 'user', ...this.user, ...scope })
    if (!seen.active || seen.claims === undefined) throw new Error('the user of the bench is not known')
    return seen.claims
  }
}
