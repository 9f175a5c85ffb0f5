import { randomBytes } from 'node:crypto'
import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import { CLAIMS_ALGORITHM } from '@bearing/contracts/identity/jwks'
import type { Connection } from '@bearing/nats/connection'
import { keepEventStreams } from '@bearing/nats/event-streams'
import { EventPublisher } from '@bearing/nats/events'
import { OutboxRelay, OutboxTable } from '@bearing/service/outbox-relay'
import { measureQueues } from '@bearing/service/measure-queues'
import { RateLimits } from '@bearing/service/rate-limits'
import type { Logger } from '@bearing/service/logger'
import type { Metrics } from '@bearing/service/metrics'
import { runService, type Runtime } from '@bearing/service/run-service'
import { Transactions } from '@bearing/service/transactions'
import { SettingsError, type Values } from '@bearing/service/settings'
import { importJWK } from 'jose'
import { v7 } from 'uuid'
import { PublishedKeys } from './introspection/claims/published-keys.js'
import { SignClaims } from './introspection/claims/sign-claims.js'
import { Clock } from '@bearing/service/clock'
import { AuditChain } from './ground/audit/audit-chain.js'
import { AuditLog } from './ground/audit/audit-log.js'
import type { CONFIG } from './config.js'
import { Database } from './ground/database.js'
import { mendQueues } from './ground/events/mend-queues.js'
import { OutboxEvents } from './ground/events/outbox-events.js'
import { IdentityModule } from './identity.module.js'
import { composeInvitation } from './organizations/invitations/compose-invitation.js'
import { composeNotices } from './people/mails/compose-notices.js'
import { composePasswordReset } from './people/mails/compose-password-reset.js'
import { MailRelay } from './people/mails/mail-relay.js'
import { NoticeLimit } from './people/mails/notice-limit.js'
import { Mailer, localTransport, type SendMail } from './people/mails/mailer.js'
import { BreachedFile } from './people/passwords/breached-file.js'
import { FormerCosts } from './people/passwords/stored-hash-costs.js'
import { NewPasswords } from './people/passwords/new-passwords.js'
import { PasswordBackOff } from './people/passwords/password-backoff.js'
import { ExpiryNotices } from './credentials/organization-tokens/expiry-notices.js'
import { TokenQuota } from './credentials/organization-tokens/token-quota.js'
import { ProviderHttp } from './sso/openid/provider-http.js'
import { Passwords } from './people/passwords/passwords.js'
import { Randomness } from '@bearing/service/randomness'
import { SecretBox } from '@bearing/service/secret-box'
import { mailsBacklog } from './people/mails/mails-backlog.js'
import { outboxBacklog } from '@bearing/service/outbox-backlog'
import { Peppers } from './ground/rules/peppers.js'
import { SweepRunOut } from './people/expired-records/expired-record-sweep.js'
import { TotpIssuer } from './people/second-factor/totp-issuer.js'
import { TxtRecords } from './sso/domains/txt-records.js'
import { SessionSettings } from './people/sessions/session-settings.js'

/** What one question to an identity provider may take; a sign-on asks up to three. */
const PROVIDER_TIMEOUT_MS = 5_000
/** Key sets are the largest of what providers answer: some kilobytes. */
const PROVIDER_MAX_BYTES = 262_144

/** Runs identity until SIGTERM. */
export async function runIdentity(settings: Values<typeof CONFIG>): Promise<void> {
  await runService({
    name: 'identity',
    description: 'Who a caller is and what they may act on.',
    settings,
    build: (runtime) => build(settings, runtime),
  })
}

async function build(settings: Values<typeof CONFIG>, { connection, logger, metrics }: Runtime) {
  const clock = new Clock(Date.now)
  const randomness = new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
  const publisher = new EventPublisher(connection)
  const database = openDatabase(settings, new Transactions(clock, randomness, publisher, logger))
  const limits = await RateLimits.open(settings.REDIS_URL, logger, metrics)
  const relay = new OutboxRelay(new OutboxTable(database.outboxEvent), publisher, logger)
  const keys = new PublishedKeys(settings.IDENTITY_SIGNING_KEYS)
  const mailer = new Mailer(await transportOf(settings, metrics), settings.PUBLIC_URL)
  // Identity has the keys itself; asking over NATS could ask another replica, with other keys.
  const claims = new ClaimsVerifier(() => Promise.resolve(keys.jwks))
  const passwords = await preparePasswords(settings, clock, randomness)
  const repeated = [
    mailRelay(mailer, database, clock, randomness, logger),
    new ExpiryNotices(database, new OutboxEvents(clock, randomness), relay, clock, logger),
    new SweepRunOut(database, clock, logger),
    new FormerCosts(database, passwords, logger),
    mendQueues(connection, logger),
  ]
  const module = IdentityModule.with({
    ...{ connection, metrics, clock, randomness, database },
    peppers: new Peppers(settings.IDENTITY_PEPPERS),
    box: new SecretBox(settings.IDENTITY_PEPPERS, randomness.bytes),
    tokenQuota: new TokenQuota(settings.TOKENS_PER_ORGANIZATION),
    sessions: new SessionSettings(settings.SESSION_IDLE_S * 1_000, settings.SESSION_LIFETIME_S * 1_000),
    totpIssuer: new TotpIssuer(settings.TOTP_ISSUER),
    providerHttp: providerHttp(settings, metrics),
    txtRecords: new TxtRecords(settings.DNS_SERVERS),
    passwords,
    newPasswords: new NewPasswords(await openBreachedFile(settings.BREACHED_PASSWORDS_FILE)),
    mailer,
    notices: new NoticeLimit(limits),
    backOff: new PasswordBackOff(limits, {
      free: settings.PASSWORD_ATTEMPTS,
      freeFromStrangers: settings.PASSWORD_ATTEMPTS_OF_STRANGERS,
      maxS: settings.PASSWORD_BACK_OFF_S,
    }),
    signer: await signer(settings, clock, randomness),
    keys,
    relay,
    claims,
  })
  measureQueues({ metrics, logger }, clock, {
    outbox: () => outboxBacklog(database),
    ...(mailer.send && { mails: () => mailsBacklog(database) }),
  })
  await keepStreams(connection, settings, logger)
  relay.start()
  for (const each of repeated) each?.start()
  return {
    module,
    checks: [{ name: 'postgres', check: () => database.$queryRaw`SELECT 1` }],
    verifyClaims: claims.verify,
    close: async () => {
      for (const each of repeated) await each?.stop()
      await relay.stop()
      limits.close()
      await database.$disconnect()
    },
  }
}

function openDatabase(settings: Values<typeof CONFIG>, transactions: Transactions): Database {
  return new Database(settings.IDENTITY_DATABASE_URL, settings.DATABASE_POOL, transactions)
}

function providerHttp(
  { SSO_ALLOW_PRIVATE_ISSUERS: allowPrivate }: Values<typeof CONFIG>,
  metrics: Metrics,
): ProviderHttp {
  const limits = { allowPrivate, timeoutMs: PROVIDER_TIMEOUT_MS, maxBytes: PROVIDER_MAX_BYTES }
  return new ProviderHttp(limits, metrics.outgoing('sso_provider'))
}

/** Before the first change: without a stream, whoever makes it would wait until publishing is given up. */
async function keepStreams(
  connection: Connection,
  { STREAM_REPLICAS, PUT_ASIDE_DAYS, NATS_MAX_FILE_STORE }: Values<typeof CONFIG>,
  logger: Logger,
): Promise<void> {
  const failed = (error: unknown) => {
    logger.warn({ err: error }, 'the streams of events could not be made; trying again')
  }
  const warn = (problem: string) => {
    logger.warn({ problem }, 'NATS does not reserve the storage that every stream needs')
  }
  await keepEventStreams(connection, failed, {
    replicas: STREAM_REPLICAS,
    putAsideDays: PUT_ASIDE_DAYS,
    storeBytes: NATS_MAX_FILE_STORE,
    warn,
  })
}

/** @throws SettingsError where settings are there of which one is of no use without another */
async function transportOf(settings: Values<typeof CONFIG>, metrics: Metrics): Promise<SendMail | undefined> {
  const { SMTP_URL, MAIL_FROM, MAIL_TO_LOG, PUBLIC_URL } = settings
  if (!SMTP_URL && !MAIL_TO_LOG) return undefined
  if (PUBLIC_URL === '')
    throw new SettingsError(
      'The settings have mistakes:\n  PUBLIC_URL: is missing: links in mails begin with it',
    )
  if (!SMTP_URL) return localTransport((text) => process.stdout.write(text))
  if (MAIL_FROM === '' || MAIL_TO_LOG)
    throw new SettingsError(
      'The settings have mistakes:\n  SMTP_URL: needs MAIL_FROM beside it, and does not go with MAIL_TO_LOG',
    )
  // What sends mails is as large as all else that identity loads for itself.
  const { smtpTransport } = await import('./people/mails/smtp-transport.js')
  return smtpTransport(SMTP_URL, MAIL_FROM, metrics.outgoing('mail'))
}

function mailRelay(
  mailer: Mailer,
  database: Database,
  clock: Clock,
  randomness: Randomness,
  logger: Runtime['logger'],
): MailRelay | undefined {
  if (!mailer.send) return undefined
  const audit = new AuditLog(new AuditChain(), clock, randomness)
  const composers = {
    invitation: composeInvitation(database, mailer, clock, randomness),
    password_reset: composePasswordReset(database, mailer, audit, clock, randomness),
    ...composeNotices(database, clock),
  }
  return new MailRelay(database, mailer.send, composers, clock, logger)
}

async function openBreachedFile(path: string): Promise<BreachedFile | undefined> {
  if (path === '') return undefined
  try {
    return await BreachedFile.open(path)
  } catch (error) {
    throw new SettingsError(
      `The settings have mistakes:\n  BREACHED_PASSWORDS_FILE: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

function preparePasswords(
  settings: Values<typeof CONFIG>,
  clock: Clock,
  randomness: Randomness,
): Promise<Passwords> {
  return Passwords.prepare(
    {
      memoryKib: settings.PASSWORD_HASH_MEMORY_KIB,
      passes: settings.PASSWORD_HASH_PASSES,
      lanes: settings.PASSWORD_HASH_LANES,
    },
    {
      concurrency: settings.PASSWORD_HASH_CONCURRENCY,
      waiting: settings.PASSWORD_HASH_WAITING,
      sharePercent: settings.PASSWORD_HASH_SHARE,
    },
    clock,
    randomness,
  )
}

async function signer(
  settings: Values<typeof CONFIG>,
  clock: Clock,
  randomness: Randomness,
): Promise<SignClaims> {
  const [key] = settings.IDENTITY_SIGNING_KEYS
  const privateKey = await importJWK({ ...key }, CLAIMS_ALGORITHM)
  return new SignClaims(privateKey, key.kid, settings.CLAIMS_LIFETIME_S, clock, randomness)
}
