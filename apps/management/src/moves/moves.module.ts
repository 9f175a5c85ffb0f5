import { NatsClient } from '@bearing/nats/client'
import { Clock } from '@bearing/service/clock'
import type { Logger } from '@bearing/service/logger'
import { LOGGER } from '@bearing/service/runtime-module'
import { Module } from '@nestjs/common'
import { FilesWing } from '../files/files.module.js'
import { Database } from '../ground/database.js'
import { IngestWing } from '../ingest/ingest.module.js'
import { CopySharedContent } from './copy-shared-content.js'
import { FinishMoves } from './finish-moves.js'
import { MoveDeadLetters } from './move-dead-letters.js'
import { MoveDevice } from './move-device.js'

/** How often unfinished moves are retried, in milliseconds. */
const RETRY_MS = 10_000

/**
 * Moves of devices to another project of their organization, with everything stored about them. It touches the data of
 * `ingest` and `files`, and no other wing imports it.
 */
@Module({
  imports: [IngestWing, FilesWing],
  controllers: [MoveDevice],
  providers: [
    CopySharedContent,
    MoveDeadLetters,
    {
      provide: FinishMoves,
      useFactory: (
        database: Database,
        client: NatsClient,
        clock: Clock,
        letters: MoveDeadLetters,
        logger: Logger,
      ) => new FinishMoves(database, client, clock, letters, logger, RETRY_MS),
      inject: [Database, NatsClient, Clock, MoveDeadLetters, LOGGER],
    },
  ],
})
export class MovesWing {}
