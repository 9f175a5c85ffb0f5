import { IdentityClient } from '@bearing/client-nats/identity-client'
import { Connection } from '@bearing/nats/connection'
import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { AccessRefusals } from './access-refusals.js'
import { Admission, PROJECT_KEY_HEADERS } from './admission.js'
import { Authenticator } from './authenticator.js'
import { SameOriginCheck } from './browser/same-origin.js'
import { ClientCertificates } from './certificate/client-certificates.js'
import { BasicStrategy } from './strategies/basic-strategy.js'
import { BearerStrategy } from './strategies/bearer-strategy.js'
import { CertificateStrategy } from './strategies/certificate-strategy.js'
import { ProjectKeyStrategy } from './strategies/project-key-strategy.js'
import { SessionStrategy } from './strategies/session-strategy.js'
import { DeviceKeyUses } from './device-key-uses.js'
import { KeyUses } from './key-uses.js'
import { TokenUses } from './token-uses.js'

/**
 * Finds the caller of a request: the grammar of credentials (`credential/`), client certificates (`certificate/`), the Passport strategies (`strategies/`), the
 * cache of identity's responses, cookies and CSRF checks (`browser/`), and the reports of token uses and refusals to identity.
 * Uses the limits of `ground`, and may import `server`, `problems` and `ground`.
 */
@Module({
  providers: [
    {
      provide: IdentityClient,
      useFactory: identityClient,
      inject: [SETTINGS, Connection, LOGGER, Metrics],
    },
    Authenticator,
    TokenUses,
    KeyUses,
    DeviceKeyUses,
    AccessRefusals,
    SameOriginCheck,
    {
      provide: PROJECT_KEY_HEADERS,
      useFactory: (settings: Settings) =>
        new Set(settings.PROJECT_KEY_HEADERS.map((name) => name.toLowerCase())),
      inject: [SETTINGS],
    },
    ClientCertificates,
    Admission,
    BasicStrategy,
    BearerStrategy,
    CertificateStrategy,
    ProjectKeyStrategy,
    SessionStrategy,
  ],
  exports: [Admission, AccessRefusals, Authenticator, KeyUses, SameOriginCheck],
})
export class AuthenticateModule {}

/** Most credentials that a process caches: about 100 MB. */
const CACHED_CREDENTIALS = 100_000

function identityClient(
  settings: Settings,
  connection: Connection,
  logger: Logger,
  metrics: Metrics,
): IdentityClient {
  const identity = new IdentityClient(connection, {
    ttlMs: settings.CREDENTIAL_CACHE_TTL_MS,
    maxEntries: CACHED_CREDENTIALS,
    warn: (error) => {
      logger.warn({ err: error }, 'an event about credentials could not be read')
    },
  })
  metrics.cache('credentials', () => identity.figures)
  return identity
}
