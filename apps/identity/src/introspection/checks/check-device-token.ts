import { DEVICE_PERMISSIONS } from '@bearing/access/roles'
import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import type { Principal } from '@bearing/contracts/principal'
import { Clock } from '@bearing/service/ground/clock'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import type { Settings } from '../../config.js'
import { Database } from '../../ground/database.js'
import { CLOCK_SKEW_S, refusalOfClaims } from '../../ground/rules/device-token-claims.js'
import { readDeviceToken, type DeviceToken } from '../../ground/device-tokens.js'
import { CheckLegacyToken } from './check-legacy-token.js'
import { CheckProjectKey } from './check-project-key.js'
import { DeviceKeyRows, type DeviceKeyRow } from './device-key-rows.js'
import { refuseDeleted } from './refuse-deleted.js'
import type { Verdict } from './verdict.js'
import { VerifyDeviceToken } from './verify-device-token.js'

type Presented = Extract<PresentedCredential, { kind: 'device_token' }>
type ProjectKey = Extract<Principal, { kind: 'project_key' }>

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
    private readonly keys: DeviceKeyRows,
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
      if (token && (await this.signatures.hasSigned(row, token))) return this.verdictOf(row, token)
    }
    if (key && (await this.isOff(key))) return key
    if (or_legacy) return this.legacyTokens.check(text)
    return token ? 'unknown' : 'malformed'
  }

  private verdictOf(row: DeviceKeyRow, { claims }: DeviceToken): Verdict {
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
  ): Promise<DeviceKeyRow[]> {
    const named = kid === undefined ? undefined : await this.keys.named(kid)
    if (named) return [named]
    return !beside || sub === undefined || sub.includes('\0') ? [] : this.keys.ofDevice(beside, sub)
  }

  private async isOff({ project_id: projectId }: ProjectKey): Promise<boolean> {
    const where = { projectId, deviceIdentity: 'off' }
    return (await this.database.projectKey.findFirst({ where, select: { id: true } })) !== null
  }
}
