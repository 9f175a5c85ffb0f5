import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withUsers, withUsersAsValues } from './nats-users.js'

// `pnpm nats-users`: brings the users of NATS up to date with what the contracts say each service does.
const deploy = join(import.meta.dirname, '..', '..')
const files = [
  [join(deploy, 'nats.conf'), withUsers],
  [join(deploy, 'kubernetes', 'nats-values.yaml'), withUsersAsValues],
] as const
for (const [file, update] of files) await writeFile(file, update(await readFile(file, 'utf8')))
