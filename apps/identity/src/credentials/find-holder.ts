import type { PresentedCredential } from '@bearing/contracts/identity/credential'
import type { Introspected } from '@bearing/service/credential-cache'
import { Injectable } from '@nestjs/common'
import { SignClaims } from '../claims/sign-claims.js'
import { CheckOrganizationToken } from './check-organization-token.js'
import { CheckProjectKey } from './check-project-key.js'
import { CheckUser } from './check-user.js'
import type { Verdict } from './verdict.js'

/** Finds out who holds a credential, from the database, and signs it. */
@Injectable()
export class FindHolder {
  constructor(
    private readonly organizationTokens: CheckOrganizationToken,
    private readonly users: CheckUser,
    private readonly projectKeys: CheckProjectKey,
    private readonly signer: SignClaims,
  ) {}

  async find(credential: PresentedCredential): Promise<Introspected> {
    const verdict = await this.check(credential)
    if (typeof verdict === 'string') return { active: false, reason: verdict }
    return { active: true, principal: verdict, ...(await this.signer.sign(verdict)), age_ms: 0 }
  }

  private check(credential: PresentedCredential): Promise<Verdict> {
    switch (credential.kind) {
      case 'organization_token':
        return this.organizationTokens.check(credential.token)
      case 'user':
        return this.users.check(credential.email, credential.secret)
      case 'project_key':
        return this.projectKeys.check(credential.key)
    }
  }
}
