import { Connection } from '@bearing/nats/connection'
import { keepEventStreams } from '@bearing/nats/event-streams'
import type { Logger } from '@bearing/service/observe/logger'
import { LOGGER, SETTINGS } from '@bearing/service/run/runtime-module'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import type { Settings } from '../../config.js'

/** Creates the streams of all services before the first event. No other service may create streams. */
@Injectable()
export class EventStreams implements OnModuleInit {
  constructor(
    private readonly connection: Connection,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    const failed = (error: unknown) => {
      this.logger.warn({ err: error }, 'The event streams could not be created. Retrying.')
    }
    await keepEventStreams(this.connection, failed, {
      replicas: this.settings.STREAM_REPLICAS,
      deadLetterDays: this.settings.PUT_ASIDE_DAYS,
      chunkPartitions: this.settings.CHUNK_PARTITIONS,
      storeBytes: this.settings.NATS_MAX_FILE_STORE,
      warn: (problem) => {
        this.logger.warn({ problem }, 'The streams of NATS differ from the settings')
      },
    })
  }
}
