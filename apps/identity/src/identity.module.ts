import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { Connection } from '@bearing/nats/connection'
import { Metrics } from '@bearing/service/metrics'
import { OutboxRelay } from '@bearing/service/outbox-relay'
import { Module, type DynamicModule } from '@nestjs/common'
import { AuditChain } from './ground/audit/audit-chain.js'
import { AuditLog } from './ground/audit/audit-log.js'
import { PublishedKeys } from './introspection/claims/published-keys.js'
import { SignClaims } from './introspection/claims/sign-claims.js'
import { Clock } from '@bearing/service/clock'
import { CheckLegacyToken } from './introspection/checks/check-legacy-token.js'
import { CheckOrganizationToken } from './introspection/checks/check-organization-token.js'
import { CheckPassword } from './people/passwords/check-password.js'
import { CheckProjectKey } from './introspection/checks/check-project-key.js'
import { CheckSecret } from './ground/check-secret.js'
import { CheckSession } from './introspection/checks/check-session.js'
import { CheckUser } from './introspection/checks/check-user.js'
import { CredentialMemory } from './introspection/introspection-cache.js'
import { FindHolder } from './introspection/checks/check-credential.js'
import { RenewSecretHash } from './introspection/checks/renew-secret-hash.js'
import { ProveOwnPassword } from './people/passwords/prove-own-password.js'
import { UserRows } from './people/users/user-rows.js'
import { Database } from './ground/database.js'
import { CredentialChanges } from './ground/events/credential-changes.js'
import { MembershipChanges } from './ground/events/membership-changes.js'
import { OutboxEvents } from './ground/events/outbox-events.js'
import { RevokeLeakedSession } from './credentials/leaks/revoke-leaked-session.js'
import { RevokeLeakedToken } from './credentials/leaks/revoke-leaked-token.js'
import { RevokeLeakedUserKey } from './credentials/leaks/revoke-leaked-user-key.js'
import { FindInvitation } from './organizations/invitations/find-invitation.js'
import { MailQueue } from './people/mails/mail-queue.js'
import { Mailer } from './people/mails/mailer.js'
import { NoticeLimit } from './people/mails/notice-limit.js'
import { NewPasswords } from './people/passwords/new-passwords.js'
import { OPERATIONS } from './operations.js'
import { TokenQuota } from './credentials/organization-tokens/token-quota.js'
import { PasswordBackOff } from './people/passwords/password-backoff.js'
import { Passwords } from './people/passwords/passwords.js'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox } from '@bearing/service/secret-box'
import { Peppers } from './ground/rules/peppers.js'
import { RecordSignInNetwork } from './people/passwords/record-sign-in-network.js'
import { ProveSecondFactor } from './people/second-factor/prove-second-factor.js'
import { RecoveryCodes } from './people/second-factor/recovery-codes.js'
import { TotpIssuer } from './people/second-factor/totp-issuer.js'
import { TotpSecrets } from './people/second-factor/totp-secrets.js'
import { EndSessions } from './people/sessions/end-sessions.js'
import { OpenSession } from './people/sessions/open-session.js'
import { OpenidProvider } from './sso/openid/openid-provider.js'
import { ClientSecrets } from './sso/connections/client-secrets.js'
import { OpenAttempt } from './sso/sign-on/open-attempt.js'
import { Redeeming } from './sso/sign-on/code-exchange-limit.js'
import { AskingOutside } from './sso/connections/outbound-request-limit.js'
import { TakeAttempt } from './sso/sign-on/take-attempt.js'
import { Arrive } from './sso/sign-on/link-or-create-account.js'
import { EnterTeam } from './sso/partner-teams/enter-team.js'
import { FindTeam } from './sso/partner-teams/find-team.js'
import { ProviderHttp } from './sso/openid/provider-http.js'
import { TxtRecords } from './sso/domains/txt-records.js'
import { SessionSettings } from './people/sessions/session-settings.js'
import { EndSignIns } from './people/users/end-sign-ins.js'
import { EndAccount } from './accounts/account-deletion.js'
import { ProveBeforeCycling } from './credentials/user-keys/prove-before-cycling.js'

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
