import { randomBytes } from 'node:crypto'
import { auditRelay } from '@bearing/service/audit-outbox'
import { runService, start } from '@bearing/service/run-service'
import { readSettings } from '@bearing/service/settings'
import { v7 } from 'uuid'
import { Clock } from '@bearing/service/clock'
import { CONFIG } from './config.js'
import { Database } from './database.js'
import { ManagementModule } from './management.module.js'
import { Randomness } from '@bearing/service/randomness'

start(async () => {
  const settings = readSettings(CONFIG, process.env)
  await runService({
    name: 'management',
    description: "The customer's resources: organizations, projects, devices, and what devices send.",
    settings,
    build: ({ client, logger }) => {
      const database = new Database(settings.MANAGEMENT_DATABASE_URL, settings.DATABASE_POOL)
      const module = ManagementModule.with({
        clock: new Clock(Date.now),
        randomness: new Randomness(v7, (length) => new Uint8Array(randomBytes(length))),
        database,
        client,
      })
      const relay = auditRelay('management', database, client, logger)
      relay.start()
      return Promise.resolve({
        module,
        checks: [{ name: 'postgres', check: () => database.$queryRaw`SELECT 1` }],
        close: async () => {
          await relay.stop()
          await database.$disconnect()
        },
      })
    },
  })
})
