import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { RateLimits } from '@bearing/service/rate-limits'
import { SETTINGS } from '@bearing/service/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { ConsumeObservations } from './consume-observations.js'
import { CrashCounts } from './crash-counts.js'
import { DeadLetters } from './dead-letters/dead-letters.js'
import { ListRejectedObservations } from './dead-letters/list-rejected-observations.js'
import { ReplayRejectedObservations } from './dead-letters/replay-rejected-observations.js'
import { SweepDeadLetters } from './dead-letters/sweep-dead-letters.js'
import { SweepExpiredObservations } from './sweep-expired-observations.js'
import { LearnObservations } from './learn-observations.js'
import { ObservationQueue } from './observation-queue.js'
import { ExportObservations } from './observations/export-observations.js'
import { FindObservations } from './observations/find-observations.js'
import { ObservationQuotas } from './observations/observation-quotas.js'
import { SubmitObservations } from './observations/submit-observations.js'
import { RelearnLayer } from './relearn-layer.js'
import { ChangeLocationSettings } from './settings/change-location-settings.js'
import { ShowLocationSettings } from './settings/show-location-settings.js'

/**
 * Learning from observations: settings of organizations, the queue and its dead letters, statistics of stations, reference scans,
 * rebuilds and retention. Every transaction takes its locks in the order of `ground/locks.ts`. It imports `locate` and `ground`.
 */
@Module({
  controllers: [
    ChangeLocationSettings,
    ExportObservations,
    FindObservations,
    ListRejectedObservations,
    RelearnLayer,
    ReplayRejectedObservations,
    ShowLocationSettings,
    SubmitObservations,
  ],
  providers: [
    ConsumeObservations,
    CrashCounts,
    DeadLetters,
    SweepExpiredObservations,
    LearnObservations,
    ObservationQueue,
    SweepDeadLetters,
    {
      provide: MessageStore,
      useFactory: (connection: Connection) => new MessageStore(connection),
      inject: [Connection],
    },
    {
      provide: QueueShares,
      useFactory: (connection: Connection, store: MessageStore) =>
        new QueueShares(connection, store, OBSERVATION_STREAM),
      inject: [Connection, MessageStore],
    },
    {
      provide: ObservationQuotas,
      useFactory: (settings: Settings, limits: RateLimits) =>
        new ObservationQuotas(limits, {
          project: settings.PROJECT_OBSERVATION_BYTES_PER_DAY,
          organization: settings.ORGANIZATION_OBSERVATION_BYTES_PER_DAY,
        }),
      inject: [SETTINGS, RateLimits],
    },
  ],
})
export class LearnWing {}
