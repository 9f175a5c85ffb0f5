import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withUsers } from './nats-users.js'

// `pnpm nats-users`: brings deploy/nats.conf up to date with what the contracts say each service does.
const file = join(import.meta.dirname, '..', '..', 'nats.conf')
await writeFile(file, withUsers(await readFile(file, 'utf8')))
