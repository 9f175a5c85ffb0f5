// Generates the Prisma client of every service that has a schema, before `tsc` runs (`pnpm build`).
//
//   prisma/<service>/schema.prisma  ->  apps/<service>/src/generated/prisma (git-ignored)
//   prisma/<service>/migrations     ->  apps/<service>/src/generated/migrations.ts: the names that the service waits for
//
// Works without a network. Generating needs no schema engine, but Prisma would download one all the same, from a host
// that may be out of reach: naming any program as the engine prevents that. (Migrations use the engine's WebAssembly
// build, see src/schema-engine.ts.) There is no prisma.config file: the path of the schema is given, and the database's
// URL is only known when a service runs.
//
// Unchanged schemas are skipped: a stamp beside the output holds a hash of all inputs.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const SERVICES = ['identity', 'management', 'location']
const ROOT = join(import.meta.dirname, '..')
const PRISMA = createRequire(import.meta.url).resolve('prisma/package.json')

const { version, bin } = JSON.parse(await readFile(PRISMA, 'utf8'))
const self = await readFile(import.meta.filename)

const outcomes = await Promise.allSettled(SERVICES.map(generate))
for (const { reason } of outcomes.filter(({ status }) => status === 'rejected')) {
  console.error(reason instanceof Error ? reason.message : reason)
  process.exitCode = 1
}

async function generate(service) {
  const schemaPath = join(ROOT, 'prisma', service, 'schema.prisma')
  const schema = await readFile(schemaPath).catch(() => undefined)
  if (!schema) return
  const folder = join(ROOT, 'apps', service, 'src', 'generated')
  await listMigrations(service, folder)
  const stampPath = join(folder, '.stamp')
  const stamp = createHash('sha256').update(schema).update(self).update(version).digest('hex')
  if (await isCurrent(folder, stampPath, stamp)) return
  console.log(`prisma: generating the client of ${service}`)
  await run(['generate', '--no-hints', '--schema', schemaPath])
  await mkdir(folder, { recursive: true })
  await writeFile(stampPath, stamp)
}

async function listMigrations(service, folder) {
  const entries = await readdir(join(ROOT, 'prisma', service, 'migrations'), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `  '${name}',\n`)
  const text = `// Written by prisma/generate.mjs.\nexport const MIGRATIONS: readonly string[] = [\n${names.sort().join('')}]\n`
  const path = join(folder, 'migrations.ts')
  if ((await readFile(path, 'utf8').catch(() => '')) === text) return
  await mkdir(folder, { recursive: true })
  await writeFile(path, text)
}

async function isCurrent(folder, stampPath, stamp) {
  try {
    await access(join(folder, 'prisma', 'client.ts'))
    return (await readFile(stampPath, 'utf8')) === stamp
  } catch {
    return false
  }
}

/** Runs Prisma; shows what it printed only where it failed. */
function run(command) {
  const child = spawn(process.execPath, [join(PRISMA, '..', bin.prisma), ...command], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: '1', // no telemetry, no check for a newer version
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      // It keeps a list of its commands in the home directory otherwise.
      XDG_CONFIG_HOME: join(ROOT, '.bearing', 'prisma'),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`prisma ${command.join(' ')} failed:\n${output}`))
    })
  })
}
