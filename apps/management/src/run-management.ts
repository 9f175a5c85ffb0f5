import { randomBytes } from 'node:crypto'
import { EventPublisher } from '@bearing/nats/events'
import { auditRelay } from '@bearing/service/audit-outbox'
import { measureQueues } from '@bearing/service/measure-queues'
import { runService } from '@bearing/service/run-service'
import { Transactions } from '@bearing/service/transactions'
import type { Values } from '@bearing/service/settings'
import { OutboxRelay, OutboxTable } from '@bearing/service/outbox-relay'
import { v7 } from 'uuid'
import { Clock } from '@bearing/service/clock'
import { AuditLog } from './ground/audit/audit-log.js'
import { beginConsuming } from './ingest/chunks/chunk-consumer.js'
import { StoreMessages } from './ingest/chunks/store-messages.js'
import type { CONFIG } from './config.js'
import { ChunkQuotas } from './ingest/data-policy/chunk-quotas.js'
import { SweepChunks } from './ingest/data-policy/sweep-chunks.js'
import { Database } from './ground/database.js'
import { SweepFiles } from './files/sweep-files.js'
import { DeadLetterStream } from './ingest/dead-letters/dead-letter-stream.js'
import { SweepDeadLetters } from './ingest/dead-letters/sweep-dead-letters.js'
import { ManagementModule } from './management.module.js'
import { OrganizationLimits } from './tenancy/organizations/organization-limits.js'
import { queuesOf } from './ground/queues.js'
import { openStorages } from './files/storage/open-storages.js'
import { UploadLimits } from './files/uploads/upload-limits.js'
import { SweepUploads } from './files/uploads/sweep-uploads.js'
import { UploadTokens } from './files/uploads/upload-tokens.js'
import { consumeLocations } from './webhooks/consume-locations.js'
import { openWebhooks } from './webhooks/open-webhooks.js'
import { RecordEvents } from './webhooks/enqueue-deliveries.js'
import { Randomness } from '@bearing/service/randomness'

/** Runs management until SIGTERM. */
export async function runManagement(settings: Values<typeof CONFIG>): Promise<void> {
  await runService({
    name: 'management',
    description: "The customer's resources: organizations, projects, devices, and what devices send.",
    settings,
    build: async (runtime) => {
      const { client, connection, logger, metrics } = runtime
      const clock = new Clock(Date.now)
      const randomness = new Randomness(v7, (length) => new Uint8Array(randomBytes(length)))
      const publisher = new EventPublisher(connection)
      const transactions = new Transactions(clock, randomness, publisher, logger)
      const database = new Database(settings.MANAGEMENT_DATABASE_URL, settings.DATABASE_POOL, transactions)
      const relay = new OutboxRelay(new OutboxTable(database.outboxEvent), publisher, logger)
      const audit = new AuditLog(clock, randomness)
      const events = new RecordEvents(clock, randomness)
      const organizationLimits = organizationLimitsOf(settings)
      const store = new StoreMessages(database, clock, randomness, events, organizationLimits)
      const storages = await openStorages(connection, settings)
      const tokens = new UploadTokens(settings.MANAGEMENT_UPLOAD_KEYS, clock)
      const uploading = { storages, tokens, ...limitsOf(settings) }
      const webhooks = openWebhooks({ database, clock, randomness, audit, logger, metrics }, settings)
      const services = { clock, randomness, database, client, connection, relay, audit, events }
      const parts = { ...services, organizationLimits, store, ...uploading, ...webhooks.parts }
      const module = ManagementModule.with(parts)
      const auditOutbox = auditRelay('management', database, client, logger)
      const queue = beginConsuming(connection, database, store, logger)
      const locations = consumeLocations(connection, database, events, logger)
      const everyMs = settings.RETENTION_INTERVAL_MS
      const repeated = [
        new SweepChunks(database, clock, logger, everyMs),
        new SweepUploads(database, storages, clock, logger, {
          keptMs: settings.UPLOAD_KEPT_MS,
          everyMs: settings.UPLOAD_SWEEP_INTERVAL_MS,
        }),
        new SweepDeadLetters(database, new DeadLetterStream(connection), clock, logger, everyMs),
        new SweepFiles(database, clock, logger, everyMs),
        ...webhooks.repeated,
      ]
      for (const each of repeated) each.start()
      measureQueues(runtime, clock, queuesOf(database, connection, clock))
      relay.start()
      auditOutbox.start()
      return {
        module,
        checks: [{ name: 'postgres', check: () => database.$queryRaw`SELECT 1` }],
        close: async () => {
          await Promise.all([queue.stop(), locations.stop()])
          await Promise.all(repeated.map((each) => each.stop()))
          await Promise.all([relay.stop(), auditOutbox.stop()])
          await database.$disconnect()
        },
      }
    },
  })
}

function limitsOf(settings: Values<typeof CONFIG>): { limits: UploadLimits; chunkQuotas: ChunkQuotas } {
  return {
    limits: new UploadLimits(
      settings.UPLOAD_MAX_BYTES,
      settings.PROJECT_FILES_MAX_BYTES || Infinity,
      settings.ORGANIZATION_FILES_MAX_BYTES || Infinity,
    ),
    chunkQuotas: new ChunkQuotas(
      settings.PROJECT_CHUNK_BYTES_PER_DAY || null,
      settings.ORGANIZATION_CHUNK_BYTES_PER_DAY || null,
    ),
  }
}

function organizationLimitsOf(settings: Values<typeof CONFIG>): OrganizationLimits {
  return new OrganizationLimits(settings.PROJECTS_PER_ORGANIZATION, settings.DEVICES_PER_ORGANIZATION)
}
