import { ClaimsVerifier } from '@bearing/client-nats/claims-verifier'
import type { Health } from '@bearing/service/observe/health'
import { runService } from '@bearing/service/run/run-service'
import type { Settings } from './config.js'
import { MIGRATIONS } from './generated/migrations.js'
import { Database } from './ground/database.js'
import { IdentityModule } from './identity.module.js'
import { jwksOf } from './introspection/claims/jwks.js'

/** Runs identity until SIGTERM; returns its health once it is ready. */
export function runIdentity(settings: Settings): Promise<Health> {
  // Identity's own keys: over NATS another replica with other keys could respond.
  const jwks = jwksOf(settings.IDENTITY_SIGNING_KEYS)
  return runService({
    name: 'identity',
    description: 'Authenticates callers and decides what they are allowed to do.',
    settings,
    module: IdentityModule,
    schema: {
      name: 'identity',
      migrations: MIGRATIONS,
      open: () => new Database(settings.IDENTITY_DATABASE_URL, 1),
    },
    verifyClaims: new ClaimsVerifier(() => Promise.resolve(jwks)).verify,
  })
}
