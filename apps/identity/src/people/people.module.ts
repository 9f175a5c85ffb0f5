import { Clock } from '@bearing/service/ground/clock'
import { Metrics } from '@bearing/service/observe/metrics'
import { Randomness } from '@bearing/service/ground/randomness'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { SETTINGS } from '@bearing/service/run/runtime-module'
import { SettingsError } from '@bearing/service/ground/settings'
import { Module } from '@nestjs/common'
import { APP_GUARD } from '@nestjs/core'
import type { Settings } from '../config.js'
import { Database } from '../ground/database.js'
import { QueueMetrics } from '../ground/queue-metrics.js'
import { SweepExpiredRecords } from './expired-records/sweep-expired-records.js'
import { ChangeEmail } from './emails/change-email.js'
import { ChangeUserEmail } from './emails/change-user-email.js'
import { ComposeEmailChange } from './emails/compose-email-change.js'
import { ConfirmEmailChange } from './emails/confirm-email-change.js'
import { RequestEmailChange } from './emails/request-email-change.js'
import { AllowLogin } from './logins/allow-login.js'
import { DecideLogin } from './logins/decide-login.js'
import { DeviceLoginRule } from './logins/device-login-rule.js'
import { DenyLogin } from './logins/deny-login.js'
import { ExchangeLogin } from './logins/exchange-login.js'
import { RequestLogin } from './logins/request-login.js'
import { ShowLogin } from './logins/show-login.js'
import { UserCodeLimit } from './logins/user-code-limit.js'
import { ComposeNotices } from './mails/compose-notices.js'
import { ComposePasswordReset } from './mails/compose-password-reset.js'
import { MailQueue, mailsBacklog } from './mails/mail-queue.js'
import { MailRelay } from './mails/mail-relay.js'
import { Mailer } from './mails/mailer.js'
import { NoticeLimit } from './mails/notice-limit.js'
import { openMailer } from './mails/open-mailer.js'
import { BreachedFile } from './passwords/breached-file.js'
import { ChangePassword } from './passwords/change-password.js'
import { CheckPassword } from './passwords/check-password.js'
import { NewPasswords } from './passwords/new-passwords.js'
import { PasswordBackoff } from './passwords/password-backoff.js'
import { Passwords } from './passwords/passwords.js'
import { ProveOwnPassword } from './passwords/prove-own-password.js'
import { RecordSignInNetwork } from './passwords/record-sign-in-network.js'
import { RequestPasswordReset } from './passwords/request-password-reset.js'
import { ResetPassword } from './passwords/reset-password.js'
import { StoredHashCosts } from './passwords/stored-hash-costs.js'
import { AddPasskey } from './second-factor/add-passkey.js'
import { ChallengePasskey } from './second-factor/challenge-passkey.js'
import { ConfirmTotp } from './second-factor/confirm-totp.js'
import { EnrollTotp } from './second-factor/enroll-totp.js'
import { ListPasskeys } from './second-factor/list-passkeys.js'
import { PasskeyChallenges } from './second-factor/passkey-challenges.js'
import { Passkeys } from './second-factor/passkeys.js'
import { ProveSecondFactor } from './second-factor/prove-second-factor.js'
import { RecoveryCodes } from './second-factor/recovery-codes.js'
import { RemovePasskey } from './second-factor/remove-passkey.js'
import { RenamePasskey } from './second-factor/rename-passkey.js'
import { RemoveTotp } from './second-factor/remove-totp.js'
import { RenewRecoveryCodes } from './second-factor/renew-recovery-codes.js'
import { ResetSecondFactor } from './second-factor/reset-second-factor.js'
import { ShowTotp } from './second-factor/show-totp.js'
import { TotpSecrets } from './second-factor/totp-secrets.js'
import { ConfirmSession } from './sessions/confirm-session.js'
import { EndOtherSessions } from './sessions/end-other-sessions.js'
import { EndSession } from './sessions/end-session.js'
import { ListSessions } from './sessions/list-sessions.js'
import { OpenSession } from './sessions/open-session.js'
import { RequireProof } from './sessions/require-proof.js'
import { SessionSettings } from './sessions/session-settings.js'
import { ShowSession } from './sessions/show-session.js'
import { SignOut } from './sessions/sign-out.js'
import { StartSession } from './sessions/start-session.js'
import { BootstrapAdmin } from './users/bootstrap-admin.js'
import { CreateUser } from './users/create-user.js'
import { ListOwnMemberships } from './users/list-own-memberships.js'
import { ShowPrincipal } from './users/show-principal.js'
import { UserRows } from './users/user-rows.js'

/** All networks that never signed in to an account have together this many times the attempts of one. */
const UNKNOWN_NETWORKS_FACTOR = 10

/**
 * Users and how they sign in with a password: accounts, passwords and their backoff, sessions, logins of command lines, second
 * factors, mails to users, and the deletion of expired records. Upper wings open and end sessions, verify passwords and codes, and queue
 * mails through the exports. It imports only ground.
 */
@Module({
  controllers: [
    ...[BootstrapAdmin, CreateUser, ListOwnMemberships, ShowPrincipal],
    ...[ChangePassword, RequestPasswordReset, ResetPassword],
    ...[RequestEmailChange, ConfirmEmailChange, ChangeUserEmail],
    ...[StartSession, ShowSession, ConfirmSession, SignOut, ListSessions, EndSession, EndOtherSessions],
    ...[RequestLogin, ExchangeLogin, ShowLogin, AllowLogin, DenyLogin],
    ...[ChallengePasskey, ListPasskeys, AddPasskey, RenamePasskey, RemovePasskey],
    ...[ShowTotp, EnrollTotp, ConfirmTotp, RemoveTotp, RenewRecoveryCodes, ResetSecondFactor],
  ],
  providers: [
    {
      provide: Passwords,
      inject: [SETTINGS, Clock, Randomness],
      useFactory: (settings: Settings, clock: Clock, randomness: Randomness) =>
        Passwords.prepare(
          {
            memoryKib: settings.PASSWORD_HASH_MEMORY_KIB,
            passes: settings.PASSWORD_HASH_PASSES,
            lanes: 1,
          },
          {
            concurrency: settings.PASSWORD_HASH_CONCURRENCY,
            waiting: settings.PASSWORD_HASH_WAITING,
            sharePercent: settings.PASSWORD_HASH_SHARE,
          },
          clock,
          randomness,
        ),
    },
    {
      provide: NewPasswords,
      inject: [SETTINGS],
      useFactory: async (settings: Settings) =>
        new NewPasswords(await openBreachedFile(settings.BREACHED_PASSWORDS_FILE)),
    },
    {
      provide: PasswordBackoff,
      inject: [RateLimits, SETTINGS],
      useFactory: (limits: RateLimits, settings: Settings) =>
        new PasswordBackoff(limits, {
          free: settings.PASSWORD_ATTEMPTS,
          freeFromUnknown: UNKNOWN_NETWORKS_FACTOR * settings.PASSWORD_ATTEMPTS,
          maxS: settings.PASSWORD_BACK_OFF_S,
        }),
    },
    SessionSettings,
    { provide: Mailer, inject: [SETTINGS, Metrics], useFactory: openMailer },
    ...[MailQueue, MailRelay, NoticeLimit, ComposeNotices, ComposePasswordReset],
    ...[ChangeEmail, ComposeEmailChange],
    ...[UserRows, CheckPassword, ProveOwnPassword, RecordSignInNetwork, OpenSession],
    ...[UserCodeLimit, DeviceLoginRule, DecideLogin],
    { provide: APP_GUARD, useClass: RequireProof },
    ...[
      ProveSecondFactor,
      Passkeys,
      PasskeyChallenges,
      RecoveryCodes,
      TotpSecrets,
      StoredHashCosts,
      SweepExpiredRecords,
    ],
  ],
  exports: [
    ...[Mailer, MailQueue, MailRelay, UserRows, Passwords, NewPasswords, CheckPassword, ProveOwnPassword],
    ...[OpenSession, SessionSettings, ProveSecondFactor, ChangeEmail],
  ],
})
export class PeopleModule {
  constructor(queues: QueueMetrics, database: Database, { send }: Mailer) {
    if (send) queues.add('mails', () => mailsBacklog(database))
  }
}

async function openBreachedFile(path: string): Promise<BreachedFile | undefined> {
  try {
    return path === '' ? undefined : await BreachedFile.open(path)
  } catch (cause) {
    const mistake = `BREACHED_PASSWORDS_FILE: ${(cause as Error).message}`
    throw new SettingsError(`The settings have mistakes:\n  ${mistake}`, { cause })
  }
}
