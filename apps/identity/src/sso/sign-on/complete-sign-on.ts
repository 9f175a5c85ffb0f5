import { OperationError } from '@bearing/contracts/errors'
import { completeSignOn } from '@bearing/contracts/identity/sso/sign-on'
import { RoleMapping } from '@bearing/contracts/identity/sso/role-mapping'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Randomness } from '@bearing/service/ground/randomness'
import { Controller } from '@nestjs/common'
import { Database, isUniqueViolation } from '../../ground/database.js'
import { CheckSession } from '../../introspection/checks/check-session.js'
import { OpenSession } from '../../people/sessions/open-session.js'
import { ClientKeys, type StoredClientKey } from '../connections/client-keys.js'
import { ClientSecrets, type StoredClientSecret } from '../connections/client-secrets.js'
import { OpenidProvider, safeCode, type ProviderClaims } from '../openid/openid-provider.js'
import { ProviderMetadata } from '../openid/provider-metadata.js'
import { claimName } from '../role-mapping/mapped-roles.js'
import { CodeExchangeLimit, sharesOf } from './code-exchange-limit.js'
import { LinkedMeanwhile } from './join-organization.js'
import { LinkOrCreateAccount, sessionEnded, type SignIn } from './link-or-create-account.js'
import { SignOnAttempts, type CompletedAttempt } from './sign-on-attempts.js'

type Callback = Input<typeof completeSignOn>

@Controller()
export class CompleteSignOn {
  constructor(
    private readonly database: Database,
    private readonly attempts: SignOnAttempts,
    private readonly provider: OpenidProvider,
    private readonly limit: CodeExchangeLimit,
    private readonly secrets: ClientSecrets,
    private readonly keys: ClientKeys,
    private readonly session: CheckSession,
    private readonly accounts: LinkOrCreateAccount,
    private readonly sessions: OpenSession,
    private readonly randomness: Randomness,
  ) {}

  @Handle(completeSignOn)
  async execute(input: Callback): Promise<Output<typeof completeSignOn>> {
    const attempt = await this.attempts.complete(input.connection_id, input.state, input.browser)
    const claims = await this.exchangeCode(input, attempt)
    const linking = attempt.sessionId === null ? undefined : await this.linkingUser(attempt.sessionId, input)
    const signIn = { connectionId: input.connection_id, claims, linking }
    const session_token = await this.signInWithRetry(signIn, input)
    return { return_to: attempt.returnTo, session_token }
  }

  private async exchangeCode(input: Callback, attempt: CompletedAttempt): Promise<ProviderClaims> {
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
      clientKey: this.keys.open(row.id, row),
    }
    // Newcomers need a verified email address. Others would cost a request for a claim that some providers never send.
    const isProvisioned =
      (await this.database.scimResource.findFirst({
        where: { connectionId: row.id },
        select: { id: true },
      })) !== null
    const verification =
      row.justInTime || row.followsEmail || isProvisioned || row.organizationId === null
        ? 'email_verified'
        : null
    const mapping = RoleMapping.nullable().parse(row.roleMapping)
    const groups = mapping && claimName(mapping)
    const wanted = ['email', verification, row.teamIdClaim, row.teamNameClaim, groups].filter(
      (name) => name !== null,
    )
    const redirect = { redirectUri: attempt.redirectUri, code, iss }
    const claims = await this.limit.run(sharesOf(row), () =>
      this.provider.exchangeCode(client, redirect, attempt.secrets, wanted),
    )
    await this.renewSecret(row)
    return claims
  }

  /** After a pepper rotation, client secrets and keys are sealed again when they are used. */
  private async renewSecret(
    row: StoredClientSecret & StoredClientKey & { readonly id: string },
  ): Promise<void> {
    const [secret, key] = [this.secrets.renewed(row.id, row), this.keys.renewed(row.id, row)]
    if (secret || key)
      await this.database.ssoConnection.updateMany({
        where: { id: row.id, secretBox: row.secretBox, keyBox: row.keyBox },
        data: { ...secret, ...key },
      })
  }

  /** The session that started the link must still be active in this browser. */
  private async linkingUser(sessionId: string, { replaces = '' }: Callback): Promise<string> {
    const verdict = await this.session.check(replaces)
    if (typeof verdict !== 'string' && verdict.kind === 'user' && verdict.credential_id === sessionId)
      return verdict.user_id
    throw sessionEnded()
  }

  /** If two browsers sign in for the first time concurrently, the second attempt finds what the other one created. */
  private async signInWithRetry(signIn: SignIn, input: Callback): Promise<string> {
    try {
      return await this.signIn(signIn, input)
    } catch (error) {
      if (isUniqueViolation(error) || error instanceof LinkedMeanwhile) return this.signIn(signIn, input)
      throw error
    }
  }

  private async signIn(signIn: SignIn, input: Callback): Promise<string> {
    const sessionId = this.randomness.newId()
    const opened = await this.database.transaction(async (transaction) => {
      const account = await this.accounts.find(transaction, signIn, sessionId)
      // The membership has to end although the sign-in is refused.
      if (account.refusal) return account.refusal
      const session = {
        ...account,
        methods: ['sso'] as const,
        connectionId: signIn.connectionId,
        providerSid: signIn.claims.sid,
        userAgent: input.user_agent,
        replaces: input.replaces,
      }
      return this.sessions.open(transaction, session, sessionId)
    })
    if (opened instanceof OperationError) throw opened
    return opened.token
  }
}
