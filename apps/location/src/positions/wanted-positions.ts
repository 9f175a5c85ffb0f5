import { RemoteCache } from '@bearing/client-nats/remote-cache'
import { areDeviceLocationsWanted } from '@bearing/contracts/management/webhook'
import { NatsClient } from '@bearing/nats/client'
import { Injectable } from '@nestjs/common'

/** How long management may take, in milliseconds: devices wait for it. */
const TIMEOUT_MS = 500

/**
 * Caches which projects have a webhook for positions of devices. Without it, every stored position would cost an outbox row,
 * a message and a transaction of management. If management does not respond, all positions are wanted: management discards
 * those that no webhook wants. A new webhook receives positions after a minute at most.
 */
@Injectable()
export class WantedPositions {
  private readonly wanted = new RemoteCache<boolean>({
    maxEntries: 50_000,
    freshMs: () => 15_000,
    staleMs: 60_000,
    refreshAhead: true,
    retryMs: 5_000,
  })

  constructor(private readonly client: NatsClient) {}

  /** Returns the projects that want positions. Never rejects. */
  async among(projects: readonly string[]): Promise<string[]> {
    const distinct = [...new Set(projects)]
    const wanted = await Promise.all(distinct.map((project) => this.isWanted(project)))
    return distinct.filter((_, index) => wanted[index])
  }

  private isWanted(project_id: string): Promise<boolean> {
    const fetch = async () => {
      const reply = await this.client.call(
        areDeviceLocationsWanted,
        { project_id },
        { timeoutMs: TIMEOUT_MS },
      )
      return reply.wanted
    }
    return this.wanted.get(project_id, fetch).catch(() => true)
  }
}
