import { randomUUID } from 'node:crypto'
import { parseSql } from '@bearing/prisma/parse-sql'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newToken, newUser } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { Client } from 'pg'
import { captureStatements } from './hot-path/captured-statements.js'
import { constructsIn, tablesOf } from './hot-path/constructs.js'
import { send } from '../tools/http.js'

const SHARED_LAYER = '00000000-0000-0000-0000-000000000000'
const ACCESS_POINTS = ['02:00:5e:30:10:00', '02:00:5e:30:20:00', '02:00:5e:30:30:00']
const LTE = { mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 5, cellId: 77 }

/**
 * Statements of hot paths with a construct that Citus excludes where rows lie in several shards, and what takes their place
 * (docs/scaling.md). No statement has one that YugabyteDB lists as unsupported.
 */
const OUTSIDE_CITUS: Readonly<Record<string, { readonly has: readonly string[]; readonly instead: string }>> =
  {
    'location: SELECT access_points, learned_access_points': {
      has: ['LATERAL with LIMIT'],
      instead:
        '`bssid = ANY ($3)`, which Citus sends to the shards of these addresses. In one Postgres it would search all partitions for each address.',
    },
    'location: SELECT learned_access_points': { has: ['LATERAL with LIMIT'], instead: 'the same' },
    'location: INSERT learned_access_points': {
      has: ['ON CONFLICT with rows from an ordered SELECT'],
      instead:
        'one statement for each shard, in the order of shards and then of addresses: the order in which rows are locked prevents deadlocks.',
    },
  }

/** Tables of each hot path: what was captured is all of it. */
const TABLES = {
  'look-up': ['access_points', 'learned_access_points', 'cells', 'learned_cells', 'device_positions'],
  learning: ['observations', 'device_scans', 'learned_access_points', 'learned_cells', 'reference_scans'],
  chunks: ['device_chunks', 'devices'],
  introspection: ['organization_tokens', 'project_keys', 'users'],
}

describe('the statements of hot paths', () => {
  const stack = stackForSuite({ postgres: 'own', oneProcess: true })
  const own = forSuite(() => newOrganization(stack))
  const parsed: { readonly key: string; readonly tables: readonly string[]; readonly node: unknown }[] = []

  beforeAll(async () => {
    await withAdmin((admin) =>
      admin.query(
        `INSERT INTO location.access_points (organization_id, bssid, lat, lon, spread, weight, observations, declared, updated_at)
         SELECT $1, ('x' || replace(mac, ':', ''))::bit(48)::bigint, 48, 11, 0, 0, 1, true, now() FROM unnest($2::text[]) AS mac`,
        [SHARED_LAYER, ACCESS_POINTS],
      ),
    )
    const address = { organization: own.slug, project: own.project.slug }
    await own.token.client.call('changePositionPolicy', {
      ...address,
      store_positions: true,
      retention_days: 30,
    })
    const [token, user] = [await newToken(own, stack), await newUser(stack)]
    for (const { service, text } of await captureStatements(stack, () => takeAll(token.token, user)))
      for (const { node } of await parseSql(text)) {
        const [kind = ''] = Object.keys(node)
        const tables = tablesOf(node)
        parsed.push({ key: `${service}: ${verbOf(kind)} ${tables.join(', ')}`, tables, node })
      }
  })

  it.each(Object.entries(TABLES))('are captured: %s', (_, tables) => {
    const captured = new Set(parsed.flatMap((one) => one.tables))
    expect(tables.filter((table) => !captured.has(table))).toEqual([])
  })

  it('are inside what Citus supports for access points distributed by address, except for those that are listed', () => {
    const outside = parsed.flatMap(({ key, node }) => {
      const { citus } = constructsIn(node)
      return citus.length > 0 ? [[key, citus] as const] : []
    })
    const listed = Object.entries(OUTSIDE_CITUS).map(([key, { has }]) => [key, has])
    expect(Object.fromEntries(outside)).toEqual(Object.fromEntries(listed))
  })

  it('are inside what YugabyteDB supports', () => {
    const outside = parsed.filter(({ node }) => constructsIn(node).yugabyte.length > 0)
    expect(outside.map(({ key, node }) => [key, constructsIn(node).yugabyte])).toEqual([])
  })

  /** Every hot path once, and those of learning twice: an access point that is known is updated by other statements. */
  async function takeAll(token: string, user: { email: string; apiKey: string }): Promise<void> {
    const [gateway = ''] = stack.gatewayUrls
    const credential = { kind: 'organization_token', token } as const
    const path = `/v1/organizations/${own.slug}/projects/${own.project.slug}/location`
    const ask = (what: string, body: unknown) =>
      send(gateway, 'POST', `${path}/${what}`, { credential, body })
    const accessPoints = ACCESS_POINTS.map((macAddress) => ({ macAddress, signalStrength: -50 }))
    expect(await ask('wifi', { accessPoints, device_id: 'D-1' })).toMatchObject({ status: 200 })
    const cellTowers = [{ radioType: 'lte', ...LTE, signalStrength: -90 }]
    expect(await ask('cell', { cellTowers })).toMatchObject({ status: 404 })
    for (let time = 1; time <= 2; time++) {
      const position = { latitude: 48, longitude: 11 + time * 1e-5, accuracy: 5 }
      const readings = { wifiAccessPoints: accessPoints, cellTowers, device_id: 'D-1' }
      const items = [{ timestamp: Date.now(), position, ...readings }]
      const headers = { 'idempotency-key': randomUUID() }
      const reply = await send(gateway, 'POST', `${path}/observations`, {
        credential,
        headers,
        body: { items },
      })
      expect(reply).toMatchObject({ status: 202, json: { accepted: 1 } })
      await eventually(async () => expect(await count('location.observations')).toBe(time))
    }
    for (let time = 1; time <= 2; time++) {
      const key = { kind: 'project_key', key: own.project.key } as const
      const headers = { 'content-type': 'application/octet-stream' }
      const reply = await send(gateway, 'POST', '/api/v0/chunks/D-1', {
        credential: key,
        headers,
        body: new Uint8Array([time]),
      })
      expect(reply).toMatchObject({ status: 202 })
      await eventually(async () => expect(await count('management.device_chunks')).toBe(time))
    }
    const basic = { kind: 'user', email: user.email, secret: user.apiKey } as const
    expect(await send(gateway, 'GET', '/api/v0/organizations', { credential: basic })).toMatchObject({
      status: 200,
    })
  }

  const count = (table: string) =>
    withAdmin(async (admin) => {
      const { rows } = await admin.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`)
      return rows[0]?.count
    })

  async function withAdmin<Result>(work: (admin: Client) => Promise<Result>): Promise<Result> {
    const admin = new Client({ connectionString: stack.adminDatabaseUrl })
    await admin.connect()
    try {
      return await work(admin)
    } finally {
      await admin.end()
    }
  }
})

describe('the search for constructs', () => {
  it.each([
    ['SELECT xmin FROM devices', 'system column'],
    ['LOCK TABLE users IN EXCLUSIVE MODE', 'LOCK TABLE'],
    ['LISTEN changes', 'LISTEN'],
    ["SELECT pg_notify('changes', '')", 'NOTIFY'],
  ])('finds what YugabyteDB does not support in %s', async (sql, construct) => {
    const [statement] = await parseSql(sql)
    expect(constructsIn(statement?.node).yugabyte).toEqual([construct])
  })

  it.each([
    ['SELECT lat FROM access_points WHERE bssid = 1 FOR UPDATE', ['FOR UPDATE']],
    ['SELECT lat FROM access_points TABLESAMPLE SYSTEM (1)', ['TABLESAMPLE']],
    ['SELECT (SELECT max(lat) FROM access_points)', ['subquery in an expression']],
    ['SELECT lat FROM access_points WHERE bssid = ANY ($1) AND organization_id IN ($2, $3)', []],
    ['SELECT id FROM devices ORDER BY id FOR UPDATE', []],
  ])('finds what Citus does not support over several shards in %s', async (sql, constructs) => {
    const [statement] = await parseSql(sql)
    expect(constructsIn(statement?.node).citus).toEqual(constructs)
  })
})

/** Returns `INSERT` for `InsertStmt`. */
function verbOf(kind: string): string {
  return kind.replace(/Stmt$/, '').toUpperCase()
}
