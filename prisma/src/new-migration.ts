import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { missingSql } from './missing-sql.js'
import { SERVICES, type Service } from './services.js'

// pnpm migration <service> <name>: writes the migration that leads from the migrations there are to schema.prisma.

const [service, name = ''] = process.argv.slice(2)
const isService = (text: string | undefined): text is Service => SERVICES.some((known) => known === text)

if (!isService(service) || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error(`Usage: pnpm migration <${SERVICES.join(' | ')}> <what_it_does, in a–z, 0–9 and "_">`)
  process.exit(2)
}
const folder = join(import.meta.dirname, '..', service)
const sql = await missingSql(service, folder)
if (sql === '') {
  console.log(`The migrations of ${service} already say what its schema.prisma says.`)
} else {
  const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const file = join(folder, 'migrations', `${stamp}_${name}`, 'migration.sql')
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, sql, { flag: 'wx' })
  console.log(
    `Wrote ${file}:\n\n${sql}\nRead it, change it where needed, and commit it together with schema.prisma.`,
  )
}
