import { OperationError } from '@bearing/contracts/errors'
import { completeSignOn } from '@bearing/contracts/identity/sign-on'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import type { Actor } from '@bearing/service/audit-row'
import { Controller } from '@nestjs/common'
import { AuditLog } from '../../ground/audit/audit-log.js'
import { CheckSession } from '../../introspection/checks/check-session.js'
import { Database, isUniqueViolation } from '../../ground/database.js'
import { CredentialChanges } from '../../ground/events/credential-changes.js'
import { MembershipChanges } from '../../ground/events/membership-changes.js'
import { OpenidProvider, safeCode, type ArrivedClaims } from '../openid/openid-provider.js'
import { ProviderMetadata } from '../openid/provider-metadata.js'
import { OpenSession } from '../../people/sessions/open-session.js'
import { ClientSecrets, type StoredClientSecret } from '../connections/client-secrets.js'
import { Arrive, LinkedMeanwhile, sessionEnded, type Arrival } from './link-or-create-account.js'
import { Redeeming, sharesOf } from './code-exchange-limit.js'
import { TakeAttempt, type TakenAttempt } from './take-attempt.js'

type Answer = Input<typeof completeSignOn>

@Controller()
export class CompleteSignOn {
  constructor(
    private readonly database: Database,
    private readonly attempts: TakeAttempt,
    private readonly provider: OpenidProvider,
    private readonly redeeming: Redeeming,
    private readonly secrets: ClientSecrets,
    private readonly session: CheckSession,
    private readonly arrive: Arrive,
    private readonly sessions: OpenSession,
    private readonly audit: AuditLog,
    private readonly changes: CredentialChanges,
    private readonly memberships: MembershipChanges,
  ) {}

  @Handle(completeSignOn)
  async execute(input: Answer): Promise<Output<typeof completeSignOn>> {
    const attempt = await this.attempts.take(input.connection_id, input.state, input.browser)
    const claims = await this.redeem(input, attempt)
    const arrival: Arrival = {
      connectionId: input.connection_id,
      claims,
      linking: attempt.sessionId === null ? undefined : await this.linkingUser(attempt.sessionId, input),
    }
    const { token, change, joined } = await this.signInTwice(arrival, input)
    await this.changes.publish(change)
    await this.memberships.publish(joined)
    return { return_to: attempt.returnTo, session_token: token }
  }

  private async redeem(input: Answer, attempt: TakenAttempt): Promise<ArrivedClaims> {
    const { code, iss, error } = input
    if (error !== undefined || code === undefined)
      throw new OperationError(
        'sso_failed',
        `The identity provider has not signed you in (${safeCode(error ?? 'no code')}). Sign in again, or ask an admin of the organization.`,
        { reason: 'refused_by_provider' },
      )
    const row = await this.database.ssoConnection.findUnique({
      where: { id: input.connection_id, enabled: true },
    })
    if (!row) throw new OperationError('sso_failed', 'The connection was closed meanwhile.')
    const client = {
      metadata: ProviderMetadata.parse(row.metadata),
      clientId: row.clientId,
      clientSecret: this.secrets.open(row.id, row),
    }
    const wanted = ['email', row.teamIdClaim, row.teamNameClaim].filter((name) => name !== null)
    const answer = { redirectUri: attempt.redirectUri, code, iss }
    const claims = await this.redeeming.run(sharesOf(row), () =>
      this.provider.redeem(client, answer, attempt.secrets, wanted),
    )
    await this.renewSecret(row)
    return claims
  }

  /** After a pepper was rotated, client secrets move under the new one as they are used. */
  private async renewSecret(row: StoredClientSecret & { readonly id: string }): Promise<void> {
    const renewed = this.secrets.renewed(row.id, row)
    if (renewed)
      await this.database.ssoConnection.updateMany({
        where: { id: row.id, secretBox: row.secretBox },
        data: renewed,
      })
  }

  /** Who links has proven the account: in this very browser, and to this moment. */
  private async linkingUser(sessionId: string, { replaces = '' }: Answer): Promise<string> {
    const verdict = await this.session.check(replaces)
    if (typeof verdict !== 'string' && verdict.kind === 'user' && verdict.credential_id === sessionId)
      return verdict.user_id
    throw sessionEnded()
  }

  /** Two browsers may arrive for the first time at once: the second one then finds what the first has made. */
  private async signInTwice(arrival: Arrival, input: Answer) {
    try {
      return await this.signIn(arrival, input)
    } catch (error) {
      if (isUniqueViolation(error) || error instanceof LinkedMeanwhile)
        return await this.signIn(arrival, input)
      throw error
    }
  }

  private signIn(arrival: Arrival, input: Answer) {
    return this.database.transaction(async (transaction) => {
      const { userId, joined, partnerTeamId, auditRecords } = await this.arrive.arrive(transaction, arrival)
      const { session, token, change } = await this.sessions.open(transaction, {
        userId,
        methods: ['sso'],
        connectionId: arrival.connectionId,
        partnerTeamId,
        userAgent: input.user_agent,
        replaces: input.replaces,
      })
      for (const record of auditRecords)
        await this.audit.record(transaction, bySession(userId, session.id), record)
      return { token, change, joined }
    })
  }
}

/** The person whom the provider has signed in, by the session that it was done for. */
function bySession(userId: string, sessionId: string): Actor {
  return {
    kind: 'user',
    user_id: userId,
    email: '',
    credential_id: sessionId,
    proof: 'session',
    grants: [],
  }
}
