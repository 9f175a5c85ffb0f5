import { connectTo } from '@bearing/testing/connect-to'
import { forSuite } from '@bearing/testing/for-suite'
import { expect, it } from '@jest/globals'
import { RowPacker } from '@bearing/contracts/location/access-points/packed-rows'
import { Transactions } from '@bearing/service/store/transactions'
import { eventually } from '@bearing/testing/eventually'
import { PostgresProxy, type Cut } from '@bearing/testing/postgres-proxy'
import { TestDatabase } from '@bearing/testing/test-database'
import pg from 'pg'
import { v7 } from 'uuid'
import { commitNextImport } from './commit-transaction.js'

const postgres = forSuite(() => TestDatabase.create())
const database = forSuite(() => connectTo(postgres.databaseUrls.location))

const BEFORE = new Date('2026-03-01T12:00:00Z')
const NOW = new Date('2026-03-02T12:00:00Z')
const FIRST = 0x02_00_00_00_00_00
const SPACING = 2 ** 16

/** Returns an import in two batches, of which each is a part, into a layer that knows every other of its access points. */
async function submitted(content: 'observations' | 'positions'): Promise<{ layer: string; id: string }> {
  const [layer, id] = [v7(), v7()]
  await database.query('INSERT INTO layers VALUES ($1, 3, 6, $2)', [layer, BEFORE])
  await database.query(
    `INSERT INTO access_points (bssid, organization_id, lat, lon, spread, weight, observations, declared, updated_at)
     SELECT $2::bigint + n * 2 * ${String(SPACING)}, $1, 10, 10, 0, 1, 2, false, $3 FROM generate_series(0, 2) AS n`,
    [layer, FIRST, BEFORE],
  )
  await database.query(
    `INSERT INTO imports (id, organization_id, content, digest, state, created_at, batches, rows)
     VALUES ($1, $2, $3, $4, 'committing', $5, 2, 8)`,
    [id, layer, content, id.replaceAll('-', '').repeat(2), BEFORE],
  )
  for (const batch of [0, 1]) {
    const packer = new RowPacker(4)
    // The two in the middle are in both batches, and the second one says something else of them.
    for (let index = 0; index < 4; index++)
      packer.add(FIRST + (3 - index + batch * 2) * SPACING, 20 + batch, 20, -50)
    await database.query('INSERT INTO import_batches VALUES ($1, $2, 4, $3, $4)', [
      id,
      batch,
      packer.bytes(),
      BEFORE,
    ])
  }
  return { layer, id }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c search_path=location' })
  return pool.on('error', () => undefined)
}

/** @returns whether it came to its end */
async function tryCommit(pool: pg.Pool): Promise<boolean> {
  try {
    const client = await pool.connect()
    client.on('error', () => undefined)
    let failed = true
    try {
      await commitNextImport(client, pool, {
        mostGathered: 4,
        now: () => NOW,
        transactions: Transactions.unpublished(),
      })
      failed = false
    } finally {
      client.release(failed)
    }
    return true
  } catch {
    return false
  }
}

async function everythingOf({ layer, id }: { layer: string; id: string }) {
  const rows = async (text: string, value: string) => (await database.query<object>(text, [value])).rows
  // As of one moment: who was cut off may be done at any time.
  await database.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  const everything = {
    accessPoints: await rows(
      'SELECT bssid, round(lat) AS lat, observations, declared, updated_at FROM access_points WHERE organization_id = $1 ORDER BY bssid',
      layer,
    ),
    layer: await rows(
      'SELECT access_points, observations, updated_at FROM layers WHERE organization_id = $1',
      layer,
    ),
    import: await rows('SELECT state, added, updated, ended_at FROM imports WHERE id = $1', id),
    batches: await rows('SELECT batch FROM import_batches WHERE import_id = $1', id),
    audit: await rows('SELECT action, details FROM audit_log WHERE organization_id = $1', layer),
    events: await rows(`SELECT subject FROM outbox WHERE data ->> 'organization_id' = $1`, layer),
  }
  await database.query('COMMIT')
  return everything
}

it.each(['observations', 'positions'] as const)(
  'an import of %s is all there once or not at all, at whatever statement a process dies',
  async (content) => {
    const proxy = await PostgresProxy.start(postgres.databaseUrls.location)
    const [cutOff, other] = [openPool(proxy.url), openPool(postgres.databaseUrls.location)]
    try {
      const whole = await submitted(content)
      const before = await everythingOf(whole)
      expect(await tryCommit(other)).toBe(true)
      const expected = await everythingOf(whole)
      expect(expected).toMatchObject({
        layer: [{ access_points: '6', observations: content === 'positions' ? '6' : '14' }],
        import: [{ state: 'committed', added: '3', updated: '3' }],
        ...{ batches: [], audit: [{ action: 'access_point_import.committed' }], events: [{}] },
      })
      for (const cut of ['before', 'after'] satisfies Cut[])
        for (let statement = 1, hasCut = true; hasCut; statement++) {
          const one = await submitted(content)
          proxy.cutAt(statement, cut)
          const hasEnded = await tryCommit(cutOff)
          hasCut = proxy.disarm()
          expect(hasCut || hasEnded).toBe(true)
          const after = await everythingOf(one)
          // It is done where nothing was lost but the answer to the last statement.
          expect([before, expected]).toContainEqual(after)
          // Postgres may still be at it, and hold the import.
          await eventually(async () => {
            await tryCommit(other)
            expect(await everythingOf(one)).toEqual(expected)
          })
        }
    } finally {
      await Promise.all([cutOff.end(), other.end()])
      await proxy.stop()
    }
  },
)
