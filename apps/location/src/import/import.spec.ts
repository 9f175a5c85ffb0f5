import { connectTo } from '@bearing/testing/connect-to'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { showAccessPointStatistics } from '@bearing/contracts/location/access-points/access-point'
import { appendToImport } from '@bearing/contracts/location/access-points/access-point-import'
import { RowPacker } from '@bearing/contracts/location/access-points/packed-rows'
import { eventually } from '@bearing/testing/eventually'
import { Callers, append, begin, commit, importAll, show, type Caller } from '../testing/test-caller.js'

const stack = stackForSuite({
  services: ['identity', 'location'],
  gateways: 0,
  // As little as allowed, so that every import of more than one batch is written in parts.
  constants: { location: { LOCATION_COMMIT_ACCESS_POINTS: 16_384 } },
})
const callers = forSuite(() => Callers.open(stack.natsUrl))
const database = forSuite(() => connectTo(stack.databaseUrls.location))
const organization = forSuite(() => callers.newOrganization())

let addresses = 0
/** An address that no other test uses; locally administered, like those of most networks. */
const newAddress = () =>
  `02:00:00:00:${(addresses >> 8).toString(16).padStart(2, '0')}:${(addresses++ & 255).toString(16).padStart(2, '0')}`

interface Stored {
  readonly lat: number
  readonly lon: number
  readonly spread: number
  readonly weight: number
  readonly observations: number
  readonly declared: boolean
}

async function stored(address: string, { organizationId } = organization): Promise<Stored | undefined> {
  const { rows } = await database.query<Stored>(
    'SELECT * FROM access_points WHERE bssid = $1 AND organization_id = $2',
    [Number.parseInt(address.replaceAll(':', ''), 16), organizationId],
  )
  return rows[0]
}

const committed = (caller: Caller, id: string, withinMs = 60_000) =>
  eventually(
    async () => {
      const shown = await show(caller, id)
      expect(shown.state).toBe('committed')
      return shown
    },
    { withinMs },
  )

describe('an import', () => {
  it('becomes visible as a whole, and not before it is committed', async () => {
    const [one, other] = [newAddress(), newAddress()]
    const { id } = await begin(organization, 'positions', 'as a whole')
    await append(organization, id, 0, [[one, 48, 11, null]])
    await append(organization, id, 1, [[other, 48, 11, null]])
    expect(await stored(one)).toBeUndefined()
    await commit(organization, id, 2, 2)
    expect(await committed(organization, id)).toMatchObject({ batches: 2, rows: 2, added: 2, updated: 0 })
    expect(await stored(one)).toMatchObject({ lat: 48, lon: 11, declared: true, observations: 1 })
    expect(await stored(other)).toBeDefined()
    expect((await database.query('SELECT FROM import_batches WHERE import_id = $1', [id])).rowCount).toBe(0)
  })

  it('of the same content is taken once, whatever it is in the middle of', async () => {
    const address = newAddress()
    const first = await begin(organization, 'observations', 'twice')
    expect(await begin(organization, 'observations', 'twice')).toMatchObject({ id: first.id, state: 'open' })
    await append(organization, first.id, 0, [[address, 48, 11, -50]])
    await commit(organization, first.id, 1, 1)
    await committed(organization, first.id)
    const again = await begin(organization, 'observations', 'twice')
    expect(again).toMatchObject({ id: first.id, state: 'committed', added: 1 })
    expect(await commit(organization, first.id, 1, 1)).toMatchObject({ state: 'committed' })
    expect(await stored(address)).toMatchObject({ observations: 1 })
  })

  it('that is begun by several concurrently is one import', async () => {
    const begun = await Promise.all(
      [1, 2, 3, 4].map(() => begin(organization, 'observations', 'concurrently by many')),
    )
    expect(new Set(begun.map(({ id }) => id)).size).toBe(1)
  })

  it('takes a batch again in the place of the first one', async () => {
    const [wrong, right] = [newAddress(), newAddress()]
    const { id } = await begin(organization, 'positions', 'again')
    await append(organization, id, 0, [[wrong, 48, 11, null]])
    await append(organization, id, 0, [[right, 48, 11, null]])
    await commit(organization, id, 1, 1)
    await committed(organization, id)
    expect(await stored(wrong)).toBeUndefined()
    expect(await stored(right)).toBeDefined()
  })

  it('takes rows that are packed, and refuses what is wrong in them', async () => {
    const address = newAddress()
    const { id } = await begin(organization, 'observations', 'packed')
    const packed = (lat: number, signalDbm: number | null) => {
      const packer = new RowPacker(1)
      packer.add(Number.parseInt(address.replaceAll(':', ''), 16), lat, 11.7654321, signalDbm)
      return Buffer.from(packer.bytes()).toString('base64')
    }
    const send = (batch: object) =>
      organization.call(appendToImport, {
        organization_id: organization.organizationId,
        import_id: id,
        batch: 0,
        ...batch,
      })
    for (const wrong of [
      {},
      { packed: 'AAAA' },
      { packed: packed(90.0000001, null) },
      { packed: packed(48, 1) },
      { packed: packed(48, null), rows: [[address, 48, 11, null]] },
    ])
      await expect(send(wrong)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await send({ packed: packed(48.1234567, -50) })).toEqual({ rows: 1 })
    await commit(organization, id, 1, 1)
    await committed(organization, id)
    const found = await stored(address)
    expect(found).toMatchObject({ observations: 1 })
    expect(found?.lat).toBeCloseTo(48.1234567, 9)
    expect(found?.lon).toBeCloseTo(11.7654321, 9)
  })

  it('says up to where its batches are there without a gap', async () => {
    const { id } = await begin(organization, 'positions', 'gap')
    for (const batch of [0, 1, 3])
      await append(organization, id, batch, [
        [newAddress(), 48, 11, null],
        [newAddress(), 48, 11, null],
      ])
    expect(await begin(organization, 'positions', 'gap')).toMatchObject({
      ...{ batches: 3, rows: 6, next_batch: 2, next_row: 4 },
    })
  })

  it('is not committed while something is missing, and says what to do', async () => {
    const { id } = await begin(organization, 'positions', 'missing')
    await append(organization, id, 0, [[newAddress(), 48, 11, null]])
    await expect(commit(organization, id, 2, 2)).rejects.toMatchObject({
      code: 'import_conflict',
      message: expect.stringContaining('1 batches with 1 rows, not 2 with 2') as unknown,
    })
    expect(await show(organization, id)).toMatchObject({ state: 'open', batches: 1, rows: 1 })
  })

  it('takes no more rows once it is committed', async () => {
    const { id } = await importAll(organization, 'positions', [[newAddress(), 48, 11, null]])
    await expect(append(organization, id, 1, [[newAddress(), 48, 11, null]])).rejects.toMatchObject({
      code: 'import_conflict',
    })
  })

  it('counts addresses that no access point can have, but does not keep them', async () => {
    const shown = await importAll(organization, 'positions', [
      ['ff:ff:ff:ff:ff:ff', 48, 11, null],
      ['00:00:00:00:00:00', 48, 11, null],
      ['01:00:5e:00:00:01', 48, 11, null],
    ])
    expect(shown).toMatchObject({ state: 'committed', rows: 3, added: 0 })
  })
})

it('counts an access point once, in how many parts its import may be written', async () => {
  const [known, fresh] = [newAddress(), newAddress()]
  await importAll(organization, 'observations', [[known, 48, 11, -50]])
  const { id } = await begin(organization, 'observations', 'in parts')
  for (const batch of [0, 1, 2])
    await append(organization, id, batch, [
      [known, 48, 11, -50],
      [fresh, 48, 11, -50],
    ])
  await commit(organization, id, 3, 6)
  expect(await committed(organization, id)).toMatchObject({ added: 1, updated: 1 })
  expect(await stored(known)).toMatchObject({ observations: 4 })
  expect(await stored(fresh)).toMatchObject({ observations: 3 })
})

describe('positions', () => {
  const START = 0x0a_00_00_00_00_00
  const COUNT = 5_000
  /** Not in the order of their addresses, as most files. */
  const address = (index: number) =>
    (START + ((index * 7) % COUNT) * 2 ** 24)
      .toString(16)
      .padStart(12, '0')
      .replaceAll(/..(?!$)/g, '$&:')

  it('of many access points are added where the layer does not have them, and replace what it has', async () => {
    const [mine, other] = [await callers.newOrganization(), await callers.newOrganization()]
    const rows = (every: number, lat: number, dbm: number | null) =>
      Array.from({ length: COUNT }, (_, index) => index)
        .filter((index) => index % every === 0)
        .map((index): [string, number, number, number | null] => [address(index), lat, index / 1e4, dbm])
    // Rows of another layer make no difference.
    await importAll(other, 'positions', rows(1, 1, null))
    await importAll(mine, 'observations', [...rows(3, 2, -50), ...rows(3, 2, -50)])
    expect(await importAll(mine, 'positions', rows(1, 3.1234567, null))).toMatchObject({
      added: COUNT - 1_667,
      updated: 1_667,
    })
    const { rows: found } = await database.query<Stored>(
      'SELECT * FROM access_points WHERE organization_id = $1 ORDER BY lon',
      [mine.organizationId],
    )
    expect(found.map(({ lon }) => lon)).toEqual(Array.from({ length: COUNT }, (_, index) => index / 1e4))
    const declared = { lat: 3.1234567, spread: 0, weight: 0, observations: 1, declared: true }
    for (const row of found) expect(row).toMatchObject(declared)
    const { organization: sums } = await mine.call(showAccessPointStatistics, {
      organization_id: mine.organizationId,
    })
    expect(sums).toMatchObject({ access_points: COUNT, observations: COUNT })
  })

  it('of the same access points, again and again in many parts, are one each, and the last one counts', async () => {
    const mine = await callers.newOrganization()
    const { id } = await begin(mine, 'positions', 'again and again')
    const BATCHES = 12
    for (let batch = 0; batch < BATCHES; batch++)
      await append(
        mine,
        id,
        batch,
        Array.from({ length: COUNT }, (_, index) => [address(index), batch, index / 1e4, null]),
      )
    await commit(mine, id, BATCHES, BATCHES * COUNT)
    expect(await committed(mine, id)).toMatchObject({ added: COUNT, updated: 0 })
    const { rows } = await database.query<Stored>(
      'SELECT lat, count(*)::int AS observations FROM access_points WHERE organization_id = $1 GROUP BY lat',
      [mine.organizationId],
    )
    expect(rows).toEqual([{ lat: BATCHES - 1, observations: COUNT }])
  })
})

describe('observations', () => {
  it('imported in parts come to the same as imported together', async () => {
    const [parts, whole] = [newAddress(), newAddress()]
    const places = [
      [89.9999, 10, -40],
      [89.9999, -170, -60],
      [89.9998, 100, -80],
      [89.9999, 0, null],
    ] as const
    const rows = (address: string) =>
      places.map(([lat, lon, dbm]): [string, number, number, number | null] => [address, lat, lon, dbm])
    for (const row of rows(parts)) await importAll(organization, 'observations', [row])
    await importAll(organization, 'observations', rows(whole))
    const [one, other] = [await stored(parts), await stored(whole)]
    expect(one?.observations).toBe(4)
    expect(one?.lat).toBeCloseTo(other?.lat ?? NaN, 9)
    expect(one?.spread).toBeCloseTo(other?.spread ?? NaN, 6)
    expect(one?.weight).toBeCloseTo(other?.weight ?? NaN, 9)
    expect(other?.spread).toBeGreaterThan(5)
  })

  it('on both sides of the antimeridian meet there', async () => {
    const address = newAddress()
    await importAll(organization, 'observations', [
      [address, 0, 179.9999, -50],
      [address, 0, -179.9999, -50],
    ])
    const found = await stored(address)
    expect(Math.abs(found?.lon ?? 0)).toBeCloseTo(180, 9)
    expect(found?.spread).toBeCloseTo(11.12, 1)
  })

  it('do not change what a list has declared, and a list replaces them', async () => {
    const address = newAddress()
    await importAll(organization, 'observations', [
      [address, 10, 10, -50],
      [address, 10, 10, -50],
    ])
    expect(
      await importAll(organization, 'positions', [
        [address, 48, 11, null],
        [address, 49, 12, null],
      ]),
    ).toMatchObject({ added: 0, updated: 1 })
    expect(await importAll(organization, 'observations', [[address, 10, 10, -30]])).toMatchObject({
      added: 0,
      updated: 0,
    })
    const found = await stored(address)
    expect(found).toMatchObject({ spread: 0, declared: true, observations: 1 })
    expect(found?.lat).toBeCloseTo(49, 9)
    expect(found?.lon).toBeCloseTo(12, 9)
  })
})

describe('a layer', () => {
  it('is counted right, through additions, refinements and replacements', async () => {
    const mine = await callers.newOrganization()
    const [one, other] = [newAddress(), newAddress()]
    await importAll(mine, 'observations', [
      [one, 1, 1, -50],
      [one, 1, 1, -50],
      [other, 1, 1, -50],
    ])
    await importAll(mine, 'observations', [[one, 1, 1, -50]])
    await importAll(mine, 'positions', [
      [one, 1, 1, null],
      [newAddress(), 1, 1, null],
    ])
    const { organization: sums } = await mine.call(showAccessPointStatistics, {
      organization_id: mine.organizationId,
    })
    const { rows } = await database.query<{ access_points: number; observations: number }>(
      'SELECT count(*)::int AS access_points, sum(observations)::int AS observations FROM access_points WHERE organization_id = $1',
      [mine.organizationId],
    )
    expect(sums).toMatchObject({ access_points: 3, observations: 3 })
    expect(sums).toMatchObject(rows[0] ?? {})
  })

  it('of another organization can be neither written nor seen', async () => {
    const { id } = await begin(organization, 'positions', 'mine')
    const other = await callers.newOrganization()
    await expect(
      begin({ ...other, organizationId: organization.organizationId }, 'positions', 'theirs'),
    ).rejects.toMatchObject({ code: 'organization_not_found' })
    await expect(append(other, id, 0, [[newAddress(), 1, 1, null]])).rejects.toMatchObject({
      code: 'import_not_found',
    })
    await expect(commit(other, id, 0, 0)).rejects.toMatchObject({ code: 'import_not_found' })
    await expect(show(other, id)).rejects.toMatchObject({ code: 'import_not_found' })
    expect((await begin(other, 'positions', 'mine')).id).not.toBe(id)
  })

  it('that is shared is written by services alone, by whatever name it is asked for', async () => {
    for (const organizationId of [null, '00000000-0000-0000-0000-000000000000'])
      await expect(begin({ ...organization, organizationId }, 'positions', 'shared')).rejects.toMatchObject({
        code: expect.stringMatching(/^(organization_not_found|permission_denied)$/) as unknown,
      })
    expect(await begin(callers.operator, 'positions', 'shared')).toMatchObject({ state: 'open' })
  })
})

it('says in the audit log who asked for an import, and that it was done', async () => {
  const { id } = await importAll(organization, 'positions', [[newAddress(), 48, 11, null]])
  const { rows } = await database.query(
    'SELECT action, actor_kind, actor_service, organization_id FROM audit_log WHERE target = $1 ORDER BY id',
    [`access_point_import:${id}`],
  )
  const mine = { organization_id: organization.organizationId }
  expect(rows).toEqual([
    { ...mine, action: 'access_point_import.begun', actor_kind: 'user', actor_service: null },
    { ...mine, action: 'access_point_import.submitted', actor_kind: 'user', actor_service: null },
    { ...mine, action: 'access_point_import.committed', actor_kind: 'service', actor_service: 'location' },
  ])
})

it('deletes an import that was left open for a day, when a process starts', async () => {
  const [old, used] = [
    await begin(organization, 'positions', 'left'),
    await begin(organization, 'positions', 'used'),
  ]
  await append(organization, used.id, 0, [[newAddress(), 48, 11, null]])
  await database.query(
    `UPDATE imports SET created_at = created_at - interval '25 hours' WHERE id = ANY ($1)`,
    [[old.id, used.id]],
  )
  await stack.part('location').restart()
  await eventually(
    () => expect(show(organization, old.id)).rejects.toMatchObject({ code: 'import_not_found' }),
    { withinMs: 60_000 },
  )
  expect(await show(organization, used.id)).toMatchObject({ state: 'open', rows: 1 })
})
