import { DEVICE_PERMISSIONS } from '@bearing/access/roles'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { Prisma } from '../../generated/prisma/client.js'
import { Database } from '../../ground/database.js'
import { CLOCK_SKEW_S, refusalOfClaims } from '../../ground/rules/device-token-claims.js'
import { readDeviceToken, type DeviceToken } from '../../ground/device-tokens.js'
import { deletedState, type DeletedState } from '../../ground/tenant-states.js'
import { CheckLegacyToken } from './check-legacy-token.js'
import { CheckProjectKey } from './check-project-key.js'
import { refuseDeleted } from './refuse-deleted.js'
import type { Verdict } from './verdict.js'
import { VerifyDeviceToken } from './verify-device-token.js'

type Presented = Extract<PresentedCredential, { kind: 'device_token' }>
type ProjectKey = Extract<Principal, { kind: 'project_key' }>

interface Row {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly serial: string
  readonly publicKey: Uint8Array
  readonly expiresAt: Date | null
  readonly identity: string
  readonly mayContribute: boolean
  readonly mayHaveNoExpiry: boolean
  readonly organizationState: DeletedState
  readonly projectState: DeletedState
}

const ORGANIZATION = Prisma.sql`device_keys.organization_id`
const PROJECT = Prisma.sql`device_keys.project_id`
/** Audiences beside the URL of the installation. */
const AUDIENCE = 'bearing'

/** Authenticates devices by the tokens that they sign (docs/device-identity.md). */
@Injectable()
export class CheckDeviceToken {
  private readonly audiences: readonly string[]

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly projectKeys: CheckProjectKey,
    private readonly legacyTokens: CheckLegacyToken,
    private readonly signatures: VerifyDeviceToken,
    @Inject(SETTINGS) { PUBLIC_URL: url }: Pick<Settings, 'PUBLIC_URL'>,
  ) {
    this.audiences = [AUDIENCE, ...(url === '' ? [] : [url, new URL(url).origin, new URL(url).host])]
  }

  /** A project without device identities takes the project key beside the token, and ignores the token: HTTP clients may add one. */
  async check({ token: text, project_key, or_legacy }: Presented): Promise<Verdict> {
    const token = readDeviceToken(text)
    const beside = project_key === undefined ? undefined : await this.projectKeys.check(project_key)
    const key = typeof beside === 'object' && beside.kind === 'project_key' ? beside : undefined
    for (const row of token ? await this.candidates(token, key) : []) {
      if (key && row.identity === 'off' && key.project_id === row.projectId) return key
      if (token && (await this.signatures.hasSigned(row, text))) return this.verdictOf(row, token)
    }
    if (key && (await this.isOff(key))) return key
    if (or_legacy) return this.legacyTokens.check(text)
    return token ? 'unknown' : 'malformed'
  }

  private verdictOf(row: Row, { claims }: DeviceToken): Verdict {
    const refused = refuseDeleted(row.organizationState, row.projectState)
    if (refused) return refused
    if (row.identity === 'off') return 'device_identity_off'
    const { serial, mayHaveNoExpiry } = row
    const nowS = this.clock.nowMs() / 1_000
    const wrong = refusalOfClaims(claims, { serial, audiences: this.audiences, mayHaveNoExpiry, nowS })
    if (wrong) return wrong
    const ends = [claims.exp && (claims.exp + CLOCK_SKEW_S) * 1_000, row.expiresAt?.getTime()]
    const endMs = Math.min(...ends.map((end) => end ?? Infinity))
    if (endMs <= this.clock.nowMs()) return 'expired'
    return {
      kind: 'device',
      credential_id: row.id,
      organization_id: row.organizationId,
      project_id: row.projectId,
      device_serial: serial,
      proof: 'token',
      permissions: [
        ...DEVICE_PERMISSIONS,
        ...(row.mayContribute ? (['observation:contribute'] as const) : []),
      ],
      ...(endMs !== Infinity && { expires_at: new Date(endMs).toISOString() }),
    }
  }

  /** The key that `kid` names; otherwise the keys of the device that `sub` names, in the project of the key beside the token. */
  private async candidates(
    { kid, claims: { sub } }: DeviceToken,
    beside: ProjectKey | undefined,
  ): Promise<Row[]> {
    const named = kid === undefined ? undefined : keyNamed(kid)
    const [row] = named ? await this.rows(named) : []
    if (row) return [row]
    if (!beside || sub === undefined || sub.includes('\0')) return []
    return this.rows(Prisma.sql`
      device_keys.organization_id = ${beside.organization_id}::uuid
      AND device_keys.project_id = ${beside.project_id}::uuid AND device_keys.device_serial = ${sub}`)
  }

  private rows(condition: Prisma.Sql): Promise<Row[]> {
    return this.database.$queryRaw<Row[]>`
      SELECT device_keys.id, device_keys.organization_id AS "organizationId", device_keys.project_id AS "projectId",
             device_serial AS serial, public_key AS "publicKey", expires_at AS "expiresAt",
             device_identity AS identity, may_contribute AS "mayContribute",
             tokens_without_expiry AS "mayHaveNoExpiry",
             ${deletedState(ORGANIZATION)} AS "organizationState",
             ${deletedState(ORGANIZATION, PROJECT)} AS "projectState"
      FROM device_keys JOIN project_keys ON project_keys.project_id = device_keys.project_id
      WHERE ${condition}
        AND (device_ca_id IS NULL OR EXISTS (SELECT FROM device_cas WHERE id = device_ca_id))`
  }

  private async isOff({ project_id: projectId }: ProjectKey): Promise<boolean> {
    const where = { projectId, deviceIdentity: 'off' }
    return (await this.database.projectKey.findFirst({ where, select: { id: true } })) !== null
  }
}

/**
 * Returns the condition that finds the key of a `kid`: its id, its JWK thumbprint in base64url (RFC 7638), or SHA-256 of its DER in
 * hexadecimal, as modems send it. Undefined for every other text.
 */
function keyNamed(kid: string): Prisma.Sql | undefined {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(kid))
    return Prisma.sql`device_keys.id = ${kid}::uuid`
  if (/^[\w-]{43}$/.test(kid))
    return Prisma.sql`device_keys.thumbprint = ${Buffer.from(kid, 'base64url')}::bytea`
  if (/^[0-9a-f]{64}$/i.test(kid)) return Prisma.sql`device_keys.key_hash = ${Buffer.from(kid, 'hex')}::bytea`
  return undefined
}
