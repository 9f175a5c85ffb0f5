import { randomUUID } from 'node:crypto'
import { declareAttribute } from '@bearing/contracts/management/devices/device-attribute'
import { listDevices } from '@bearing/contracts/management/devices/device'
import type { DeviceFilter, DeviceOrder } from '@bearing/contracts/management/devices/device-selection'
import { createProject } from '@bearing/contracts/management/tenancy/project'
import type { Request } from '@bearing/contracts/operation'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { Database } from '../../ground/database.js'
import { TestManagement, type TestUser } from '../../testing/test-management.js'
import { deviceCondition, withFixedTime } from './lists/device-condition.js'
import { deviceIndex } from './lists/device-index.js'
import { countStatement, pageStatement } from './lists/device-page.js'

/** Devices of the large project: enough for Postgres to prefer indexes. */
const DEVICES = 30_000
const PER_PAGE = 100
/** The first minute in which a device was seen; device n is seen n minutes later, every tenth never. */
const START = '2026-01-01T00:00:00.000Z'

describe('the list of devices', () => {
  const management = forSuite(() => TestManagement.connect())
  let admin: TestUser
  let scope: { organization_id: string; project_id: string }

  beforeAll(async () => {
    const organization = await management.newOrganization()
    admin = organization.admin
    const input = { organization_id: organization.id, name: 'x' }
    const { id } = await management.call(createProject, input, await admin.claims())
    scope = { organization_id: organization.id, project_id: id }
    for (const [attribute, type] of [
      ['color', 'string'],
      ['level', 'number'],
    ] as const)
      await management.call(declareAttribute, { ...scope, attribute, type }, await admin.claims())
    const numbers = await management.database.declaredAttribute.findMany({ where: { projectId: id } })
    const numberOf = (name: string) => numbers.find((row) => row.name === name)?.number ?? 0
    await management.database.$executeRaw`
      INSERT INTO devices (id, project_id, serial, hardware_version, software_version, last_seen_at, created_at)
      SELECT gen_random_uuid(), ${id}::uuid, 'DEV-' || lpad(n::text, 6, '0'), 'rev' || n % 3, '1.' || n % 20,
        CASE WHEN n % 10 > 0 THEN ${START}::timestamptz + n * interval '1 minute' END, now()
      FROM generate_series(0, ${DEVICES - 1}::integer) n`
    await management.database.$executeRaw`
      INSERT INTO device_attributes (device_id, number, project_id, serial, value)
      SELECT id, ${numberOf('color')}::integer, project_id, serial, '"red"' FROM devices WHERE project_id = ${id}::uuid`
    await management.database.$executeRaw`
      INSERT INTO device_attributes (device_id, number, project_id, serial, value)
      SELECT id, ${numberOf('level')}::integer, project_id, serial, to_jsonb(right(serial, 6)::integer % 1000)
      FROM devices WHERE project_id = ${id}::uuid`
    // As autovacuum does: only the owner may.
    const owner = new Database(testStack().adminDatabaseUrl, 1)
    await owner.$executeRaw`VACUUM (ANALYZE) devices, device_attributes`
    await owner.$disconnect()
  }, 60_000)

  const list = async (input: Omit<Request<typeof listDevices>, keyof typeof scope> = {}) =>
    management.call(listDevices, { ...scope, per_page: PER_PAGE, ...input }, await admin.claims())

  /** Reads a list by its cursor, at most a few pages. */
  async function serialsOf(input: Parameters<typeof list>[0], pages = 3): Promise<string[]> {
    const serials: string[] = []
    let cursor: string | undefined
    for (let page = 0; page < pages; page++) {
      const { data, next } = await list({ ...input, ...(cursor !== undefined && { cursor }) })
      serials.push(...data.map(({ device_serial }) => device_serial))
      if (next === null) break
      cursor = next
    }
    return serials
  }

  const serial = (n: number) => `DEV-${String(n).padStart(6, '0')}`
  const minute = (n: number) => new Date(Date.parse(START) + n * 60_000).toISOString()
  const range = (from: number, length: number, step = 1) =>
    Array.from({ length }, (_, i) => serial(from + i * step))

  const OFFERED: readonly (readonly [DeviceFilter, DeviceOrder | undefined])[] = [
    [{}, undefined],
    [{}, '-serial'],
    [{}, 'last_seen'],
    [{}, '-last_seen'],
    [{ q: 'DEV-00' }, undefined],
    [{ q: 'DEV-00' }, '-serial'],
    [{ silent_for: '1d' }, undefined],
    [{ last_seen_after: minute(100), last_seen_before: minute(20_000) }, 'last_seen'],
    [{ seen: 'never' }, undefined],
    [{ seen: 'ever' }, 'last_seen'],
    [{ software_version: '1.7' }, undefined],
    [{ software_version: '1.7', silent_for: '1d' }, 'last_seen'],
    [{ hardware_version: 'rev1' }, '-last_seen'],
    [{ hardware_version: 'rev1', last_seen_after: minute(9_000) }, undefined],
    [{ attribute: 'color', attribute_is: 'red' }, undefined],
    [{ attribute: 'color', attribute_is: 'red', q: 'DEV-01' }, '-serial'],
    [{ attribute: 'level', attribute_above: '10', attribute_below: '900' }, undefined],
  ]

  it.each(OFFERED)(
    'reads %j in the order %s from an index, without a sequential scan and without sorting more than a page',
    async (filter, sort) => {
      const index = deviceIndex(filter, sort)
      const fixed = withFixedTime(filter, new Date())
      const condition = await deviceCondition(management.database, scope.project_id, fixed, index)
      const first = { minute: 29_454_000, serial: serial(9_000), value: 500, total: 0 }
      for (const after of [undefined, first]) {
        const plan = await planOf(pageStatement(condition, index, { after, take: PER_PAGE + 1 }))
        expect(isBounded(plan) ? '' : plan).toBe('')
      }
      const counting = await planOf(countStatement(condition, index, 10_001))
      expect(counting).not.toContain('Seq Scan')
    },
  )

  /** Returns true if a plan reads the rows of a page from an index, and no others. */
  function isBounded(plan: string): boolean {
    const counts = [...plan.matchAll(/(?:Index|Sort)[^\n]*\(actual rows=(\d+)/g)].map(([, rows]) =>
      Number(rows),
    )
    return (
      counts.length > 0 &&
      counts.every((rows) => rows <= PER_PAGE + 1) &&
      !/Seq Scan|Bitmap|Rows Removed by Filter/.test(plan)
    )
  }

  async function planOf(statement: ReturnType<typeof pageStatement>): Promise<string> {
    const rows = await management.database.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, BUFFERS OFF) ${statement.text}`,
      ...statement.values,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }

  it('is in the order of serial numbers, with exact counts, page by page and by cursor', async () => {
    expect(await serialsOf({})).toEqual(range(0, 300))
    const { data, paging, next } = await list({ page: 300 })
    expect(data.at(-1)?.device_serial).toBe(serial(DEVICES - 1))
    expect(paging).toMatchObject({ total_count: DEVICES, page_count: 300 })
    expect(next).toBeNull()
    expect(await serialsOf({ sort: '-serial' }, 1)).toEqual(range(DEVICES - 1, PER_PAGE, -1))
  })

  it('finds prefixes of serial numbers, and counts at most 10,000 of them', async () => {
    expect(await serialsOf({ q: 'DEV-01234' })).toEqual(range(12_340, 10))
    expect(await serialsOf({ q: 'dev' })).toEqual([])
    const { paging } = await list({ q: 'DEV-' })
    expect(paging).toMatchObject({ total_count: 10_000, total_is_minimum: true })
  })

  it('sorts by last seen, devices that were never seen last', async () => {
    const newest = range(DEVICES - 1, PER_PAGE * 2, -1).filter((text) => !text.endsWith('0'))
    expect((await serialsOf({ sort: '-last_seen' })).slice(0, 150)).toEqual(newest.slice(0, 150))
    expect(await serialsOf({ sort: 'last_seen' }, 1)).toEqual(range(0, PER_PAGE, 10))
    expect(await serialsOf({ seen: 'never', sort: 'last_seen' }, 1)).toEqual(range(0, PER_PAGE, 10))
  })

  it('filters by last seen, and leaves out devices that were never seen', async () => {
    const between = {
      last_seen_after: minute(100),
      last_seen_before: minute(120),
      sort: 'last_seen',
    } as const
    const expected = range(100, 20).filter((text) => !text.endsWith('0'))
    expect(await serialsOf(between)).toEqual(expected)
    expect(await serialsOf({ silent_for: '1m', per_page: 10, sort: 'last_seen' }, 1)).toEqual(
      range(1, 11).filter((text) => !text.endsWith('0')),
    )
  })

  it('filters by version, together with last seen', async () => {
    const found = await list({ software_version: '1.7', last_seen_before: minute(100), sort: 'last_seen' })
    expect(found.data.map(({ device_serial }) => device_serial)).toEqual([7, 27, 47, 67, 87].map(serial))
    expect(found.paging.total_count).toBe(5)
    expect((await list({ hardware_version: 'rev9' })).data).toEqual([])
  })

  it('filters by the value of an attribute, or by a range of values in their order', async () => {
    const is = { attribute: 'level', attribute_is: '7' } as const
    expect(await serialsOf(is)).toEqual(range(7, 30, 1_000))
    expect(await serialsOf({ ...is, q: 'DEV-01' })).toEqual(range(10_007, 10, 1_000))
    const above = await serialsOf({ attribute: 'level', attribute_above: '997' })
    expect(above).toEqual([...range(998, 30, 1_000), ...range(999, 30, 1_000)])
    const [first] = (await list({ ...is, with: 'attributes', per_page: 1 })).data
    expect(first?.attributes).toEqual({ color: 'red', level: 7 })
  })

  const REFUSED: readonly (readonly [Parameters<typeof list>[0], string])[] = [
    [{ q: 'D', silent_for: '1d' }, '/q'],
    [{ q: 'D', sort: 'last_seen' }, '/q'],
    [{ software_version: '1', hardware_version: '1' }, '/hardware_version'],
    [{ software_version: '1', sort: 'serial' }, '/sort'],
    [{ attribute: 'color' }, '/attribute'],
    [{ attribute: 'color', attribute_above: 'a' }, '/attribute'],
    [{ attribute: 'level', attribute_is: 'seven' }, '/attribute_is'],
    [{ attribute: 'level', attribute_is: '7', silent_for: '1d' }, '/silent_for'],
    [{ attribute: 'level', attribute_above: '7', sort: 'serial' }, '/sort'],
    [{ attribute_is: '7' }, '/attribute_is'],
    [{ silent_for: '1w' }, '/silent_for'],
    [{ sort: 'last_seen', page: 102 }, '/page'],
    [{ cursor: 'made-up' }, '/cursor'],
    [{ software_version: 'a\0' }, '/software_version'],
    [{ with: 'attributes', per_page: 1_001 }, '/per_page'],
  ]

  it.each(REFUSED)('refuses %j, and names the field', async (input, pointer) => {
    await expect(list(input)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [expect.objectContaining({ pointer })] },
    })
  })

  it('refuses a cursor of another filter, order or project', async () => {
    const { next } = await list({ q: 'DEV-' })
    for (const other of [{ q: 'DEV' }, { q: 'DEV-', sort: '-serial' as const }, {}])
      await expect(list({ ...other, cursor: next ?? '' })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it.each([
    ['a serial number that Postgres cannot store', (members: unknown[]) => members.with(1, 'a\0')],
    ['a minute that is no integer of Postgres', (members: unknown[]) => members.with(2, 2 ** 40)],
    ['a value that Postgres cannot store', (members: unknown[]) => members.with(3, 'a\0')],
  ])('refuses a cursor with %s', async (_, change) => {
    const { next } = await list({ q: 'DEV-' })
    const members = JSON.parse(Buffer.from(next ?? '', 'base64url').toString()) as unknown[]
    const cursor = Buffer.from(JSON.stringify(change(members))).toString('base64url')
    await expect(list({ q: 'DEV-', cursor })).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('has no device that was both never seen and silent since', async () => {
    for (const filter of [{ silent_for: '1d' }, { silent_for: '1d', software_version: '1.0' }])
      expect((await list({ ...filter, seen: 'never' })).data).toEqual([])
  })

  it('is empty on the last page that can be asked for', async () => {
    expect((await list({ page: 1_000_000, per_page: 10_000 })).data).toEqual([])
  })

  it('knows no attribute that is not declared', async () => {
    await expect(
      list({ attribute: `x${randomUUID().slice(0, 8)}`, attribute_is: '1' }),
    ).rejects.toMatchObject({
      code: 'attribute_not_found',
    })
  })
})
