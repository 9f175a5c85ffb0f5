import type { NatsClient } from '@bearing/nats/client'
import type { Connection } from '@bearing/nats/connection'
import type { Health } from './health.js'
import type { Logger } from './logger.js'
import type { Metrics } from './metrics.js'

/** The parts that a process has before its own are created. */
export interface Runtime {
  readonly connection: Connection
  readonly client: NatsClient
  readonly logger: Logger
  readonly metrics: Metrics
  readonly health: Health
}
