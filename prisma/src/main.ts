import { migrate } from './migrate.js'
import { SERVICES } from './services.js'

// node prisma/dist/main.js: makes the database of a deployment ready. Runs once before the services of a release start.

/** The variable that holds the URL a service connects with. */
const variableOf = (service: string) => `${service.toUpperCase()}_DATABASE_URL`

const missing = ['DATABASE_URL', ...SERVICES.map(variableOf)].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}.`)
  process.exit(2)
}
const read = (name: string) => process.env[name] ?? ''

try {
  await migrate({
    adminUrl: read('DATABASE_URL'),
    services: Object.fromEntries(SERVICES.map((service) => [service, { url: read(variableOf(service)) }])),
    log: (line) => {
      console.log(line)
    },
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
