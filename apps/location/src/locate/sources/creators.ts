import { RemoteCache } from '@bearing/client-nats/remote-cache'
import { findCreator } from '@bearing/contracts/management/tenancy/organization'
import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/ground/clock'
import { Injectable } from '@nestjs/common'

/** Organizations whose creators are cached. A creator never changes. */
const MOST_ORGANIZATIONS = 10_000
const FRESH_MS = 86_400_000
/** Time-out of calls to management, in milliseconds: devices wait for it. */
const TIMEOUT_MS = 500
/** After a failure management is not asked for this long, in milliseconds. */
const RETRY_MS = 2_000

/** Knows who created an organization: everybody can create several, and limits that protect others hold for all of them together. */
@Injectable()
export class Creators {
  private readonly creators: RemoteCache<string>

  constructor(
    private readonly client: NatsClient,
    clock: Clock,
  ) {
    const options = { freshMs: () => FRESH_MS, staleMs: FRESH_MS, retryMs: RETRY_MS, elapsed: clock.nowMs }
    this.creators = new RemoteCache({ ...options, maxEntries: MOST_ORGANIZATIONS })
  }

  /** Returns the creator, if it is cached. */
  known(organizationId: string): string | undefined {
    return this.creators.recall(organizationId.toLowerCase())
  }

  /** Returns the creator; the organization itself where management does not know it, or does not answer. Never rejects. */
  async of(organizationId: string): Promise<string> {
    const id = organizationId.toLowerCase()
    const fetch = async () => {
      const found = await this.client.call(findCreator, { organization_id: id }, { timeoutMs: TIMEOUT_MS })
      return found.user_id ?? id
    }
    return this.creators.get(id, fetch).catch(() => id)
  }
}
