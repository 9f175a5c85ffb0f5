import { OBSERVATION_DEAD_LETTER_STREAM, OBSERVATION_STREAM } from '@bearing/contracts/nats/streams'
import { Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { QueueShares } from '@bearing/nats/queue-shares'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters, SweepDeadLetters } from '@bearing/service/store/dead-letters'
import type { Logger } from '@bearing/service/observe/logger'
import { RateLimits } from '@bearing/service/store/rate-limits'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Module } from '@nestjs/common'
import type { Settings } from '../config.js'
import { Pools } from '../ground/database.js'
import { ConsumeObservations } from './consume-observations.js'
import { CrashCounts } from './crash-counts.js'
import { observationRetention } from './dead-letters/dead-letters.js'
import { ListRejectedObservations } from './dead-letters/list-rejected-observations.js'
import { ReplayRejectedObservations } from './dead-letters/replay-rejected-observations.js'
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
    SweepExpiredObservations,
    LearnObservations,
    ObservationQueue,
    {
      provide: DeadLetters,
      useFactory: (connection: Connection) => new DeadLetters(connection, OBSERVATION_DEAD_LETTER_STREAM),
      inject: [Connection],
    },
    {
      provide: SweepDeadLetters,
      useFactory: (letters: DeadLetters, pools: Pools, clock: Clock, logger: Logger) =>
        new SweepDeadLetters(letters, observationRetention(pools), clock, logger),
      inject: [DeadLetters, Pools, Clock, LOGGER],
    },
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
export class LearnModule {}
