import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { cpus, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildIndexes, dropIndexes, loadRows, sizes } from './access-point-limits/load.js'
import { MEASURED_LOOK_UPS, measureCold, measureWarm } from './access-point-limits/measure-look-ups.js'
import { importRows, reindexOnline, vacuum } from './access-point-limits/measure-writes.js'
import { Server } from './access-point-limits/server.js'
import { captureLookUpStatement } from './scale/look-up-statement.js'
import { say } from './access-point-limits/say.js'

/** Rows, indexes and what sorting takes, in bytes of one row; and for WAL. */
const [BYTES_PER_ROW, BYTES_BESIDE] = [175, 6e9]
const RESERVE = 1.5
const IMPORTED = 1_000_000
const LOWEST_PRIORITY = 19

/**
 * `pnpm bench:access-points --rows 100000000 [--directory <folder>]`: how far one Postgres goes. Look-ups of 20 access points, warm and
 * cold, by the statement of the location service; sizes; import; and how long an index takes to build again. Runs at the
 * lowest priority, in a data folder of its own, and removes it.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000000' },
    directory: { type: 'string', default: tmpdir() },
  },
})
const rows = Number(values.rows)
if (!Number.isSafeInteger(rows) || rows < 100_000) {
  say('--rows is a whole number of at least 100,000.')
  process.exitCode = 2
} else if (await hasRoom(rows, values.directory)) await measure(rows, values.directory)
else process.exitCode = 2

async function hasRoom(count: number, directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory)
  const [free, needed] = [bavail * bsize, RESERVE * (count * BYTES_PER_ROW + BYTES_BESIDE)]
  if (free >= needed) return true
  const gb = (bytes: number) => (bytes / 1e9).toFixed(0)
  say(
    `${count.toLocaleString('en')} rows need ${gb(needed)} GB free in ${directory} (1.5 × what they take); there are ${gb(free)} GB. Use fewer --rows, or another --directory.`,
  )
  return false
}

async function measure(count: number, parent: string): Promise<void> {
  setPriority(LOWEST_PRIORITY)
  say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
  const statement = await captureLookUpStatement()
  const directory = await mkdtemp(join(parent, 'bearing-access-points-'))
  const server = new Server(directory)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      interrupted.abort()
      process.exitCode = 130
      void server.kill()
    })
  try {
    await server.start('load')
    await server.migrate()
    await server.use(async (client) => {
      const indexes = await dropIndexes(client)
      await loadRows(client, count)
      await buildIndexes(client, indexes)
      await sizes(client, count)
    })
    await server.restart('measure')
    await server.evictFiles()
    await measureCold(server, statement, count, 1)
    await server.restart('measure')
    await server.evictFiles()
    await measureCold(server, statement, count, 8)
    await measureWarm(server, statement, count)
    await importRows(server, count, IMPORTED)
    await vacuum(server)
    await reindexOnline(server, statement, count)
    say(`each figure of ${String(MEASURED_LOOK_UPS)} look-ups of 20 access points`)
  } catch (error) {
    if (!interrupted.signal.aborted) throw error
  } finally {
    await server.kill()
    await rm(directory, { recursive: true, force: true })
  }
}
