import { randomBytes } from 'node:crypto'
import { EventPublisher } from '@bearing/nats/events'
import { auditRelay } from '@bearing/service/audit-outbox'
import { runService, start } from '@bearing/service/run-service'
import { readSettings } from '@bearing/service/settings'
import { OutboxRelay, OutboxTable } from '@bearing/service/outbox-relay'
import { v7 } from 'uuid'
import { Clock } from '@bearing/service/clock'
import { beginConsuming } from './chunks/begin-consuming.js'
import { StoreMessages } from './chunks/store-messages.js'
import { CONFIG } from './config.js'
import { SweepChunks } from './data-policy/sweep-chunks.js'
import { Database } from './database.js'
import { ManagementModule } from './management.module.js'
import { openStorages } from './storage/open-storages.js'
import { UploadLimits } from './uploads/upload-limits.js'
import { UploadSweeper } from './uploads/sweep-uploads.js'
import { UploadTokens } from './uploads/upload-tokens.js'
import { Randomness } from '@bearing/service/randomness'

start(async () => {
  const settings = readSettings(CONFIG, process.env)
  await runService({
    name: 'management',
    description: "The customer's resources: organizations, projects, devices, and what devices send.",
    settings,
    build: ({ client, connection, logger }) => {
      const database = new Database(settings.MANAGEMENT_DATABASE_URL, settings.DATABASE_POOL)
      const clock = new Clock(Date.now)
      const randomness = new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
      const relay = new OutboxRelay(
        new OutboxTable(database.outboxEvent),
        new EventPublisher(connection),
        logger,
      )
      const store = new StoreMessages(database, clock, randomness)
      const storages = openStorages(connection, settings)
      const tokens = new UploadTokens(settings.MANAGEMENT_UPLOAD_KEYS, clock)
      const limits = new UploadLimits(settings.UPLOAD_MAX_BYTES, settings.PROJECT_FILES_MAX_BYTES || Infinity)
      const files = { storages, tokens, limits }
      const parts = { clock, randomness, database, client, connection, relay, store, ...files }
      const module = ManagementModule.with(parts)
      const deeds = auditRelay('management', database, client, logger)
      const queue = beginConsuming(connection, database, store, logger)
      const sweeper = new SweepChunks(database, clock, logger)
      const uploads = new UploadSweeper(database, storages, clock, logger, {
        keptMs: settings.UPLOAD_KEPT_MS,
        intervalMs: settings.UPLOAD_SWEEP_INTERVAL_MS,
      })
      uploads.start()
      relay.start()
      deeds.start()
      sweeper.start(settings.RETENTION_INTERVAL_MS)
      return Promise.resolve({
        module,
        checks: [{ name: 'postgres', check: () => database.$queryRaw`SELECT 1` }],
        close: async () => {
          await queue.stop()
          await Promise.all([sweeper.stop(), uploads.stop()])
          await Promise.all([relay.stop(), deeds.stop()])
          await database.$disconnect()
        },
      })
    },
  })
})
