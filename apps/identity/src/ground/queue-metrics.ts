import { Clock } from '@bearing/service/ground/clock'
import type { Logger } from '@bearing/service/observe/logger'
import { measureQueues, type Backlog } from '@bearing/service/observe/measure-queues'
import { Metrics } from '@bearing/service/observe/metrics'
import { outboxBacklog } from '@bearing/service/audit/outbox-backlog'
import { LOGGER } from '@bearing/service/run/runtime-module'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import { Database } from './database.js'

/** Adds the length and age of identity's queues to its metrics. */
@Injectable()
export class QueueMetrics implements OnApplicationBootstrap {
  private readonly queues: Record<string, () => Promise<Backlog>>

  constructor(
    database: Database,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.queues = { outbox: () => outboxBacklog(database) }
  }

  /** Adds the queue of a wing, at startup. @param queue its label in metrics */
  add(queue: string, measure: () => Promise<Backlog>): void {
    this.queues[queue] = measure
  }

  onApplicationBootstrap(): void {
    measureQueues({ metrics: this.metrics, logger: this.logger }, this.clock, this.queues)
  }
}
