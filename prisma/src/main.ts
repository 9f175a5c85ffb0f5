import { migrate } from './migrate.js'
import { SERVICES } from './services.js'

// node prisma/dist/main.js [service …]: makes the database of a deployment ready. Runs once before the services of a release start.
// With names of services (default: all) it makes the database of these alone: each service may have one of its own.

/** The variable that holds the URL a service connects with. */
const variableOf = (service: string) => `${service.toUpperCase()}_DATABASE_URL`

// As the first process of a container Node ignores the signal without this. Postgres rolls back what is under way.
process.once('SIGTERM', () => {
  console.error('Interrupted. Run this again: it continues with the migration that it did not finish.')
  process.exit(143)
})

const names = process.argv.slice(2)
const wanted = SERVICES.filter((service) => names.length === 0 || names.includes(service))
const unknown = names.filter((name) => !SERVICES.some((service) => service === name))
if (unknown.length > 0) {
  console.error(`There is no service ${unknown.join(', ')}, only ${SERVICES.join(', ')}.`)
  process.exit(2)
}
const missing = ['DATABASE_URL', ...wanted.map(variableOf)].filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}.`)
  process.exit(2)
}
// A file or `echo` may have added a line break.
const read = (name: string) => (process.env[name] ?? '').trim()

try {
  await migrate({
    adminUrl: read('DATABASE_URL'),
    services: Object.fromEntries(wanted.map((service) => [service, { url: read(variableOf(service)) }])),
    log: (line) => {
      console.log(line)
    },
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
