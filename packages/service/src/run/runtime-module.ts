import { NatsClient } from '@bearing/nats/client'
import { Connection } from '@bearing/nats/connection'
import { EventPublisher } from '@bearing/nats/event-publisher'
import { Module, type DynamicModule } from '@nestjs/common'
import { Clock } from '../ground/clock.js'
import { Health } from '../observe/health.js'
import { Metrics } from '../observe/metrics.js'
import type { Runtime } from '../observe/runtime.js'
import { Randomness, systemRandomness } from '../ground/randomness.js'
import { Transactions } from '../store/transactions.js'

/** Injection token of the parsed settings: `@Inject(SETTINGS) settings: Values<typeof CONFIG>`. */
export const SETTINGS = Symbol('settings')
/** Injection token of the log: `@Inject(LOGGER) logger: Logger`. */
export const LOGGER = Symbol('logger')

/**
 * Provides every wing with what a process has once: the connection to NATS, its client and publisher of events, metrics,
 * health, clock, randomness, transactions, the log ({@link LOGGER}) and the settings ({@link SETTINGS}).
 */
@Module({})
export class RuntimeModule {
  /** @param parts replace the system's clock and randomness, for tests */
  static with(
    { connection, client, logger, metrics, health }: Runtime,
    settings: object,
    parts: { readonly clock?: Clock; readonly randomness?: Randomness } = {},
  ): DynamicModule {
    const clock = parts.clock ?? new Clock(Date.now)
    const randomness = parts.randomness ?? systemRandomness()
    const publisher = new EventPublisher(connection)
    const providers = [
      { provide: Connection, useValue: connection },
      { provide: NatsClient, useValue: client },
      { provide: EventPublisher, useValue: publisher },
      { provide: Metrics, useValue: metrics },
      { provide: Health, useValue: health },
      { provide: Clock, useValue: clock },
      { provide: Randomness, useValue: randomness },
      { provide: Transactions, useValue: new Transactions(clock, randomness, publisher, logger) },
      { provide: LOGGER, useValue: logger },
      { provide: SETTINGS, useValue: settings },
    ]
    return {
      module: RuntimeModule,
      global: true,
      providers,
      exports: providers.map(({ provide }) => provide),
    }
  }
}
