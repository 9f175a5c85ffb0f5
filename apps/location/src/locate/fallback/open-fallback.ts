import { locationFallbackChanged } from '@bearing/contracts/location/location-fallback'
import { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { GuardedHttp } from '@bearing/outbound/guarded-http'
import type { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import type { Randomness } from '@bearing/service/randomness'
import type { RateLimits } from '@bearing/service/rate-limits'
import type { Runtime } from '@bearing/service/run-service'
import { SecretBox } from '@bearing/service/secret-box'
import type { Values } from '@bearing/service/settings'
import type { Provider as NestProvider } from '@nestjs/common'
import type { CONFIG } from '../../config.js'
import type { Database } from '../../ground/database.js'
import { provide } from '../../ground/provide.js'
import { FallbackKeys } from './fallback-row.js'
import { ProviderRoom, type Outcome } from './provider.js'
import { Providers } from './providers.js'

/** What the longest reply of a fallback may have, in bytes, and how long any may have for it, in milliseconds. */
const FALLBACK_LIMITS = { maxBytes: 16_384, timeoutMs: 5_000, beyondMaxBytes: 'fail' } as const

/** What other services are asked with where a position is not known. */
export function openFallback(
  config: Pick<Values<typeof CONFIG>, 'LOCATION_FALLBACK_PRIVATE_RANGES' | 'LOCATION_SECRET_KEYS'>,
  {
    clock,
    randomness,
    limits,
  }: { readonly clock: Clock; readonly randomness: Randomness; readonly limits: RateLimits },
  { connection, logger, metrics }: Runtime,
  database: Database,
): { readonly parts: readonly NestProvider[] } {
  const ranges = config.LOCATION_FALLBACK_PRIVATE_RANGES
  const limited = { privateRanges: ranges, plainRanges: ranges, ...FALLBACK_LIMITS }
  const http = new GuardedHttp(limited, metrics.outgoing('location_provider'))
  const keys = new FallbackKeys(new SecretBox(config.LOCATION_SECRET_KEYS, randomness.bytes))
  const options = { name: 'location_fallback', points: 60_000, windowS: 60, whenStoreIsDown: 'open' } as const
  const counter = metrics.counter(
    'bearing_location_fallback_total',
    'Positions that Bearing did not know and an organization has asked elsewhere, by what came of it.',
    ['outcome'],
  )
  const told = (outcome: Outcome) => {
    counter.inc({ outcome })
  }
  const tools = { http, room: new ProviderRoom(), limit: limits.limit(options), told }
  const providers = new Providers(database, keys, tools, clock, logger)
  hearFallbackChanges(providers, connection, logger)
  const parts = [
    provide(GuardedHttp, http),
    provide(FallbackKeys, keys),
    provide(Providers, providers),
    provide(Connection, connection),
  ]
  return { parts }
}

function hearFallbackChanges(providers: Providers, connection: Connection, logger: Logger): void {
  const forgetAll = () => {
    providers.allChanged()
  }
  onEvent(
    connection,
    locationFallbackChanged,
    ({ organization_id }) => {
      providers.changed(organization_id)
    },
    (error) => {
      logger.warn({ err: error }, 'an event could not be read; all fallbacks are looked at again')
      forgetAll()
    },
    forgetAll,
  )
}
