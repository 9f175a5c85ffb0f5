import { RemoteCache } from '@bearing/client-nats/remote-cache'
import { locationFallbackChanged } from '@bearing/contracts/location/settings/location-fallback'
import { Connection } from '@bearing/nats/connection'
import { onEvent } from '@bearing/nats/events'
import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { FallbackKeys } from './fallback-row.js'
import { ProviderTools } from './provider-tools.js'
import { Provider } from './provider.js'

/** Cached organizations, with the cached positions of their providers. */
const MAX_ORGANIZATIONS = 1_000
/** Time for which a provider is used without reading it again, in milliseconds; an event of a change invalidates it earlier. */
const FRESH_MS = 5_000

interface Known {
  /** Undefined: the organization has none. */
  readonly provider: Provider | undefined
}

/** Caches which provider each organization has chosen for positions that it does not know. Most have chosen none. */
@Injectable()
export class Providers {
  private readonly known: RemoteCache<Known>

  constructor(
    private readonly database: Database,
    private readonly keys: FallbackKeys,
    private readonly tools: ProviderTools,
    clock: Clock,
    connection: Connection,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.known = new RemoteCache({
      maxEntries: MAX_ORGANIZATIONS,
      freshMs: () => FRESH_MS,
      // Expired providers are not used, but continued if the organization has not replaced them.
      staleMs: 0,
      failed: (error) => {
        logger.warn(
          { err: error },
          'The provider of an organization cannot be read. It is not asked for positions.',
        )
      },
      elapsed: clock.nowMs,
    })
    const clear = () => {
      this.known.clear()
    }
    onEvent(
      connection,
      locationFallbackChanged,
      ({ organization_id }) => {
        this.known.invalidate([organization_id])
      },
      (error) => {
        logger.warn({ err: error }, 'An event is not valid. All providers are read again.')
        clear()
      },
      clear,
    )
  }

  /**
   * Returns the provider of an organization, and none if that cannot be read: nothing is sent to a provider that the
   * organization may have replaced.
   */
  async of(organizationId: string): Promise<Provider | undefined> {
    try {
      return (await this.known.get(organizationId, () => this.read(organizationId))).provider
    } catch {
      return undefined
    }
  }

  private async read(organizationId: string): Promise<Known> {
    const row = await this.database.locationFallback.findUnique({ where: { organizationId } })
    if (row === null) return { provider: undefined }
    const before = this.known.last(organizationId)?.provider
    const isSame = before?.row.updatedAt.getTime() === row.updatedAt.getTime() && before.row.url === row.url
    // The cached positions and the circuit breaker of another provider do not apply.
    return { provider: isSame ? before : new Provider(row, this.keys.open(row), this.tools) }
  }
}
