import type { Introspected, PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { Injectable } from '@nestjs/common'
import { CheckDeviceCertificate } from './check-device-certificate.js'
import { CheckDeviceToken } from './check-device-token.js'
import { CheckLegacyToken } from './check-legacy-token.js'
import { CheckOrganizationToken } from './check-organization-token.js'
import { CheckProjectKey } from './check-project-key.js'
import { CheckSession } from './check-session.js'
import { CheckUser } from './check-user.js'
import type { Refused, Verdict } from './verdict.js'

/** Reads from the database who holds a credential. */
@Injectable()
export class CheckCredential {
  constructor(
    private readonly organizationTokens: CheckOrganizationToken,
    private readonly legacyTokens: CheckLegacyToken,
    private readonly users: CheckUser,
    private readonly projectKeys: CheckProjectKey,
    private readonly sessions: CheckSession,
    private readonly deviceTokens: CheckDeviceToken,
    private readonly deviceCertificates: CheckDeviceCertificate,
  ) {}

  async check(credential: PresentedCredential): Promise<Introspected> {
    const verdict = await this.verdictOf(credential)
    if (typeof verdict === 'string') return { active: false, ...reasonOf(verdict) }
    return { active: true, principal: verdict, age_ms: 0 }
  }

  private verdictOf(credential: PresentedCredential): Promise<Verdict> {
    switch (credential.kind) {
      case ORGANIZATION_TOKEN:
        return this.organizationTokens.check(credential.token)
      case 'legacy_token':
        return this.legacyTokens.check(credential.token)
      case 'user':
        return this.users.check(credential.email, credential.secret)
      case 'project_key':
        return this.projectKeys.check(credential.key)
      case 'device_token':
        return this.deviceTokens.check(credential)
      case 'device_certificate':
        return this.deviceCertificates.check(credential)
      case 'session':
        return this.sessions.check(credential.token)
    }
  }
}

/** An older gateway does not know the narrower reasons. */
function reasonOf(refused: Refused) {
  if (refused === 'malformed' || refused === 'unknown' || refused === 'expired') return { reason: refused }
  return { reason: 'unknown', because: refused } as const
}
