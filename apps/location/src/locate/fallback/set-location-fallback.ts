import { invalidInput } from '@bearing/contracts/errors'
import {
  locationFallbackChanged,
  setLocationFallback,
} from '@bearing/contracts/location/settings/location-fallback'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Connection } from '@bearing/nats/connection'
import { broadcastEvent } from '@bearing/nats/events'
import { Handle } from '@bearing/nats/handle'
import { GuardedHttp, OutboundError } from '@bearing/outbound/guarded-http'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Database } from '../../ground/database.js'
import { FallbackKeys, viewFallback, type FallbackRow } from './fallback-row.js'

@Controller()
export class SetLocationFallback {
  constructor(
    private readonly database: Database,
    private readonly keys: FallbackKeys,
    private readonly http: GuardedHttp,
    private readonly connection: Connection,
    private readonly clock: Clock,
  ) {}

  @Handle(setLocationFallback)
  async execute(
    input: Input<typeof setLocationFallback>,
    by: Principal,
  ): Promise<Output<typeof setLocationFallback>> {
    const { organization_id: organizationId } = input
    const url = this.readUrl(input.url)
    const where = { organizationId }
    const shown = await this.database.transaction(async (transaction) => {
      const before = await transaction.locationFallback.findUnique({ where })
      const data = {
        url,
        ...this.keyFor(input, url, before),
        keyAs: input.key_as,
        accuracyConfidence: input.accuracy_confidence,
        requestsPerMinute: input.requests_per_minute,
        timeoutMs: input.timeout_ms,
        updatedAt: this.clock.now(),
      }
      const row = await transaction.locationFallback.upsert({
        where,
        create: { organizationId, ...data },
        update: data,
      })
      const after = viewFallback(row)
      recordAudit(transaction, by, {
        action: 'location_fallback.set',
        target: ['organization', organizationId],
        organizationId,
        details: {
          ...after,
          new_key: typeof input.key === 'string',
          url_before: before?.url ?? null,
          has_key_before: before !== null && before.keyBox !== null,
        },
      })
      return after
    })
    broadcastEvent(this.connection, locationFallbackChanged, { organization_id: organizationId })
    return shown
  }

  private keyFor(
    { organization_id, key }: Input<typeof setLocationFallback>,
    url: string,
    before: FallbackRow | null,
  ): Pick<FallbackRow, 'keyBox' | 'keyId'> {
    if (typeof key === 'string') return this.keys.seal(organization_id, url, key)
    // The stored key is never sent to another URL.
    if (key === undefined && before?.url === url) return { keyBox: before.keyBox, keyId: before.keyId }
    return { keyBox: null, keyId: null }
  }

  /** @throws OperationError `invalid_input` */
  private readUrl(text: string): string {
    const url = new URL(text)
    // A key in the URL would be stored and shown in plain text.
    if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '')
      throw invalidInput('/url', 'must have no query, no fragment and no credentials. Send the key in `key`')
    try {
      this.http.refuse(url)
    } catch (error) {
      if (error instanceof OutboundError) throw invalidInput('/url', `is not allowed: ${error.message}`)
      throw error
    }
    return url.href
  }
}
