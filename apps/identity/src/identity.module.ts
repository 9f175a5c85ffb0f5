import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { Connection } from '@bearing/nats/connection'
import { Metrics } from '@bearing/service/metrics'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Module, type DynamicModule } from '@nestjs/common'
import { AuditChain } from './audit/audit-chain.js'
import { AuditLog } from './audit/audit-log.js'
import { PublishedKeys } from './claims/published-keys.js'
import { SignClaims } from './claims/sign-claims.js'
import { Clock } from '@bearing/service/clock'
import { CheckLegacyToken } from './credentials/check-legacy-token.js'
import { CheckOrganizationToken } from './credentials/check-organization-token.js'
import { CheckPassword } from './credentials/check-password.js'
import { CheckProjectKey } from './credentials/check-project-key.js'
import { CheckSecret } from './credentials/check-secret.js'
import { CheckSession } from './credentials/check-session.js'
import { CheckUser } from './credentials/check-user.js'
import { CredentialMemory } from './credentials/credential-memory.js'
import { FindHolder } from './credentials/find-holder.js'
import { RenewSecretHash } from './credentials/renew-secret-hash.js'
import { ProveOwnPassword } from './credentials/prove-own-password.js'
import { UserRows } from './credentials/user-rows.js'
import { Database } from './database.js'
import { CredentialChanges } from './events/credential-changes.js'
import { MembershipChanges } from './events/membership-changes.js'
import { OutboxEvents } from './events/outbox-events.js'
import { RevokeLeakedSession } from './leaks/revoke-leaked-session.js'
import { RevokeLeakedToken } from './leaks/revoke-leaked-token.js'
import { RevokeLeakedUserKey } from './leaks/revoke-leaked-user-key.js'
import { FindInvitation } from './invitations/find-invitation.js'
import { MailQueue } from './mails/mail-queue.js'
import { Mailer } from './mails/mailer.js'
import { NoticeLimit } from './mails/notice-limit.js'
import { NewPasswords } from './passwords/new-passwords.js'
import { OPERATIONS } from './operations.js'
import { TokenQuota } from './organization-tokens/token-quota.js'
import { PasswordBackOff } from './passwords/password-back-off.js'
import { Passwords } from './passwords/passwords.js'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox } from '@bearing/service/secret-box'
import { Peppers } from './rules/peppers.js'
import { RecordSignInNetwork } from './passwords/record-sign-in-network.js'
import { ProveSecondFactor } from './second-factor/prove-second-factor.js'
import { RecoveryCodes } from './second-factor/recovery-codes.js'
import { TotpIssuer } from './second-factor/totp-issuer.js'
import { TotpSecrets } from './second-factor/totp-secrets.js'
import { EndSessions } from './sessions/end-sessions.js'
import { OpenSession } from './sessions/open-session.js'
import { OpenidProvider } from './openid/openid-provider.js'
import { ClientSecrets } from './sso-connections/client-secrets.js'
import { OpenAttempt } from './sign-on/open-attempt.js'
import { Redeeming } from './sign-on/redeeming.js'
import { AskingOutside } from './sso-connections/asking-outside.js'
import { TakeAttempt } from './sign-on/take-attempt.js'
import { Arrive } from './sign-on/arrive.js'
import { EnterTeam } from './partner-teams/enter-team.js'
import { FindTeam } from './partner-teams/find-team.js'
import { ProviderHttp } from './openid/provider-http.js'
import { TxtRecords } from './sso-domains/txt-records.js'
import { SessionSettings } from './sessions/session-settings.js'
import { EndSignIns } from './users/end-sign-ins.js'
import { EndAccount } from './users/end-account.js'
import { ProveBeforeCycling } from './user-keys/prove-before-cycling.js'

/** What the operations work with, made once when the service starts. */
export interface Parts {
  readonly connection: Connection
  readonly metrics: Metrics
  readonly clock: Clock
  readonly randomness: Randomness
  readonly database: Database
  readonly peppers: Peppers
  readonly box: SecretBox
  readonly passwords: Passwords
  readonly newPasswords: NewPasswords
  readonly mailer: Mailer
  readonly notices: NoticeLimit
  readonly backOff: PasswordBackOff
  readonly sessions: SessionSettings
  readonly tokenQuota: TokenQuota
  readonly totpIssuer: TotpIssuer
  readonly providerHttp: ProviderHttp
  readonly txtRecords: TxtRecords
  readonly signer: SignClaims
  readonly keys: PublishedKeys
  readonly relay: OutboxRelay
  readonly claims: ClaimsVerifier
}

/** The operations of the identity service. */
@Module({
  controllers: [...OPERATIONS],
  providers: [
    AuditChain,
    AuditLog,
    OutboxEvents,
    CredentialChanges,
    MembershipChanges,
    MailQueue,
    FindInvitation,
    EndSignIns,
    EndAccount,
    UserRows,
    CheckSecret,
    RenewSecretHash,
    CheckOrganizationToken,
    CheckLegacyToken,
    CheckPassword,
    ProveOwnPassword,
    CheckUser,
    CheckProjectKey,
    CheckSession,
    OpenSession,
    EndSessions,
    OpenidProvider,
    ClientSecrets,
    OpenAttempt,
    TakeAttempt,
    Redeeming,
    AskingOutside,
    Arrive,
    EnterTeam,
    FindTeam,
    TotpSecrets,
    RecoveryCodes,
    ProveBeforeCycling,
    ProveSecondFactor,
    RecordSignInNetwork,
    FindHolder,
    RevokeLeakedToken,
    RevokeLeakedSession,
    RevokeLeakedUserKey,
    CredentialMemory,
  ],
})
export class IdentityModule {
  /** The module with its parts. */
  static with(parts: Parts): DynamicModule {
    return {
      module: IdentityModule,
      providers: [
        { provide: Connection, useValue: parts.connection },
        { provide: Metrics, useValue: parts.metrics },
        { provide: Clock, useValue: parts.clock },
        { provide: Randomness, useValue: parts.randomness },
        { provide: Database, useValue: parts.database },
        { provide: Peppers, useValue: parts.peppers },
        { provide: SecretBox, useValue: parts.box },
        { provide: SessionSettings, useValue: parts.sessions },
        { provide: TokenQuota, useValue: parts.tokenQuota },
        { provide: TotpIssuer, useValue: parts.totpIssuer },
        { provide: ProviderHttp, useValue: parts.providerHttp },
        { provide: TxtRecords, useValue: parts.txtRecords },
        { provide: Passwords, useValue: parts.passwords },
        { provide: NewPasswords, useValue: parts.newPasswords },
        { provide: Mailer, useValue: parts.mailer },
        { provide: NoticeLimit, useValue: parts.notices },
        { provide: PasswordBackOff, useValue: parts.backOff },
        { provide: SignClaims, useValue: parts.signer },
        { provide: PublishedKeys, useValue: parts.keys },
        { provide: OutboxRelay, useValue: parts.relay },
        { provide: ClaimsVerifier, useValue: parts.claims },
      ],
    }
  }
}
