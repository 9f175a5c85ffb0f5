import type { Logger } from '@bearing/service/observe/logger'
import { Metrics } from '@bearing/service/observe/metrics'
import { warnSeldom } from '@bearing/service/observe/warn-seldom'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { PassThrough } from './pass-through.js'

/**
 * Sends requests of devices on to the service that their fleet comes from, for projects that the operator names (`PASS_THROUGH`).
 * Requests reach it after authentication and authorization alone. May import `authorize` and lower wings.
 */
@Module({
  providers: [
    {
      provide: PassThrough,
      useFactory: (settings: Settings, metrics: Metrics, logger: Logger) =>
        new PassThrough(
          settings,
          metrics.outgoing('pass_through'),
          warnSeldom(logger, 'the service of PASS_THROUGH did not answer a device'),
        ),
      inject: [SETTINGS, Metrics, LOGGER],
    },
  ],
  exports: [PassThrough],
})
export class PassThroughModule {}
