import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { Metrics } from '@bearing/service/metrics'
import { LOGGER, SETTINGS } from '@bearing/service/runtime-module'
import { warnSeldom } from '@bearing/service/warn-seldom'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Pools } from '../ground/database.js'
import { ApproveSharing } from './approve-sharing.js'
import { ChangeLocationSettings } from './change-location-settings.js'
import { ListSharing } from './list-sharing.js'
import { RevokeSharing } from './revoke-sharing.js'
import { SharingGroups } from './sharing-groups.js'
import { ShowLocationSettings } from './show-location-settings.js'

/**
 * The contributors to the shared layer: settings of organizations, approvals by the operator, and which contributors are
 * independent of each other. Higher wings ask {@link SharingGroups}. It imports `ground`.
 */
@Module({
  controllers: [ApproveSharing, ChangeLocationSettings, ListSharing, RevokeSharing, ShowLocationSettings],
  providers: [
    {
      provide: SharingGroups,
      useFactory: (
        settings: Settings,
        pools: Pools,
        client: NatsClient,
        clock: Clock,
        metrics: Metrics,
        logger: Logger,
      ) => {
        const failures = metrics.counter(
          'bearing_location_independence_failures_total',
          'Failed attempts to find out which contributors to the shared layer are independent. After ten minutes their contributions are not used.',
        )
        const warn = warnSeldom(
          logger,
          'Identity does not say which organizations are independent. After ten minutes their contributions to the shared layer are not used.',
        )
        return new SharingGroups(pools.main, client, settings.LOCATION_SHARING, clock, (error) => {
          failures.inc()
          warn(error)
        })
      },
      inject: [SETTINGS, Pools, NatsClient, Clock, Metrics, LOGGER],
    },
  ],
  exports: [SharingGroups],
})
export class SharingWing {}
