import { connectTo } from '@bearing/testing/connect-to'
import { OperationError } from '@bearing/contracts/errors'
import { explainLocation, type Explanation } from '@bearing/contracts/location/lookups/explanation'
import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { changePositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import type { Request } from '@bearing/contracts/operation'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { BASE_LAYER } from '../../ground/layer.js'
import { Callers, importAll } from '../../testing/test-caller.js'

type Heard = Omit<Request<typeof explainLocation>, 'organization_id' | 'project_id'>

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const owner = forSuite(() => callers.newOrganization())
const database = forSuite(() => connectTo(stack.databaseUrls.location))
const project_id = v7()
beforeAll(async () => {
  const rows = (numbers: readonly number[]) =>
    numbers.map((number): [string, number, number, null] => [address(number), latOf(number), 11, null])
  await importAll(owner, 'positions', rows(OWN))
  await importAll(callers.operator, 'positions', rows(SHARED))
  await database.query(
    `INSERT INTO cells VALUES (4, 262, 77, 7, 71, $1, 48.01, 11, 500, 9, now()), (4, 262, 77, 7, 72, $2, 48.02, 11, 500, 9, now())`,
    [owner.organizationId, BASE_LAYER],
  )
})

/** The last of each are elsewhere. */
const OWN = [1, 2, 3, 9]
const SHARED = [11, 12, 13, 14, 19]
const latOf = (number: number) => 48 + (number % 10) * 1e-5 + (number % 10 === 9 ? 1 : 0)
/** Each of a radio of its own. */
const address = (number: number) => (0x02_cc_00_00_00_00 + number * 64).toString(16).padStart(12, '0')
const mac = (number: number) => (address(number).match(/../g) ?? []).join(':')
const heard = (...numbers: readonly number[]) =>
  numbers.map((number) => ({ macAddress: address(number), signalStrength: -60 }))
const cell = (eci: number) => ({ mcc: 262, mnc: 77, tac: 7, eci })

const explain = (what: Heard): Promise<Explanation> =>
  owner.call(explainLocation, { organization_id: owner.organizationId, project_id, ...what })
const outcomes = (found: Explanation) => found.accessPoints.map(({ outcome }) => outcome)

describe('the explanation of a position', () => {
  it('has the position of an ordinary request, both radii, and the sources in the order of asking', async () => {
    const what = { accessPoints: heard(1, 2, 11, 12), lte: [cell(71)] }
    const scope = { organization_id: owner.organizationId, project_id }
    const found = await explain(what)
    const ordinary = await owner.call(resolveGroundFix, { ...scope, ...what })
    const { accessPoints, cells, ...position } = ordinary ?? {}
    expect(found).toMatchObject({
      position,
      counts: { accessPoints, cells },
      sources: [
        { source: 'wifi', outcome: 'found' },
        { source: 'cell', outcome: 'not_asked' },
        { source: 'fallback', outcome: 'not_asked' },
      ],
      cells: [{ cell: 'lte,262,77,7,71', outcome: 'not_needed' }],
    })
    expect(found.radii?.p68).toBe(found.position?.uncertainty)
    const sure = await owner.call(resolveGroundFix, { ...scope, ...what, confidence: 95 })
    expect(found.radii?.p95).toBe(sure?.uncertainty)
  })

  it('has the places of own access points, how far they are, and why others do not count', async () => {
    const [one, two, three] = heard(1, 2, 3)
    const found = await explain({
      accessPoints: [
        ...[
          { ...one, signalStrength: -80 },
          { ...one },
          { ...two },
          ...heard(9),
          ...heard(77),
          { macAddress: 'x' },
        ],
        ...[
          { ...three, ssid: 'Home_nomap' },
          { ...heard(12)[0], age: 60_000 },
          { macAddress: 'ff:ff:ff:ff:ff:ff' },
        ],
      ].map((entry) => ({ age: 0, ...entry }) as { macAddress: string }),
    })
    expect(outcomes(found)).toEqual([
      ...['duplicate', 'used', 'used', 'elsewhere', 'not_own', 'unreadable', 'opted_out', 'old'],
      'not_an_access_point',
    ])
    expect(found.accessPoints[1]).toMatchObject({
      ...{ macAddress: mac(1), signalStrength: -60, locallyAdministered: true },
      own: { lat: latOf(1), lon: 11, observations: 1, learned: false, spread: 0 },
    })
    for (const { own } of [found.accessPoints[1], found.accessPoints[2]].flatMap((each) => each ?? []))
      expect(own?.distance).toBeLessThan(2)
    expect(found.accessPoints[3]?.own?.distance).toBeGreaterThan(100_000)
  })

  it('of cells has own places, and of the base layer counts', async () => {
    const found = await explain({ lte: [cell(71), cell(72), cell(73), { mcc: 262 }] })
    expect(found).toMatchObject({
      position: { fulfilledWith: 'MCELL' },
      sources: [{ outcome: 'not_found' }, { outcome: 'found' }, { outcome: 'not_asked' }].map(
        (each, index) => (index === 0 ? { ...each, outcome: expect.any(String) } : each),
      ),
      cells: [
        { cell: 'lte,262,77,7,71', outcome: 'used', own: { lat: 48.01, lon: 11, range: 500, samples: 9 } },
        { cell: 'lte,262,77,7,72', outcome: 'not_own' },
        { cell: 'lte,262,77,7,73', outcome: 'not_own' },
        { cell: null, outcome: 'unusable' },
      ],
      shared: { cells: { known: 1, used: 1 } },
    })
    expect(JSON.stringify(found.cells)).not.toContain('48.02')
  })

  it('says why there is no position as an ordinary request does', async () => {
    const found = await explain({ accessPoints: heard(77, 78) })
    expect(found).toMatchObject({
      ...{ position: null, radii: null, shared: null },
      error: { code: 'location_not_found', reason: 'too_few_known' },
      sources: [{ outcome: 'not_found' }, { outcome: 'skipped' }, { outcome: 'not_found' }],
    })
    expect(outcomes(found)).toEqual(['not_own', 'not_own'])
  })

  it('is not stored, whatever device it names', async () => {
    const scope = { organization_id: owner.organizationId, project_id: v7() }
    await owner.call(changePositionPolicy, { ...scope, store_positions: true, retention_days: 30 })
    const named = { ...scope, accessPoints: heard(1, 2), device_id: 'UNIT-7' }
    expect(await owner.call(explainLocation, named)).toMatchObject({ position: { fulfilledWith: 'WIFI' } })
    const { rows } = await database.query('SELECT FROM device_positions WHERE project_id = $1', [
      scope.project_id,
    ])
    expect(rows).toEqual([])
  })
})

describe('the explanation never says of the base layer', () => {
  const places = [...OWN, ...SHARED].map((number) => String(latOf(number)))

  it('which access points are known there, or where: it is that of a scan whose shared addresses are others', async () => {
    // With other shared access points in their place, the explanation differs by the addresses alone.
    const [before, after] = [
      await explain({ accessPoints: heard(11, 12) }),
      await explain({ accessPoints: heard(13, 14) }),
    ]
    for (const { accessPoints } of [before, after])
      expect(accessPoints.map(({ outcome, own }) => [outcome, own])).toEqual([
        ['not_own', undefined],
        ['not_own', undefined],
      ])
    expect(before.shared).toEqual({ accessPoints: { known: 2, used: 2 }, cells: { known: 0, used: 0 } })
  })

  it('whether a single one is known, alone or beside access points of the organization', async () => {
    const without = (found: Explanation) => ({
      ...found,
      accessPoints: found.accessPoints.map(({ macAddress: _, ...rest }) => rest),
    })
    for (const beside of [[], [1], [1, 2], [1, 2, 9]])
      expect(without(await explain({ accessPoints: heard(...beside, 11) }))).toEqual(
        without(await explain({ accessPoints: heard(...beside, 77) })),
      )
  })

  it('a place that the organization has not said itself, or more than the counts of an ordinary request', async () => {
    const number = fc.constantFrom(...OWN, ...SHARED, 77, 78)
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(number, { minLength: 1, maxLength: 10 }), async (numbers) => {
        const scan = { accessPoints: heard(...numbers) }
        const found = await explain(scan).catch((error: unknown) => {
          if (error instanceof OperationError && error.code === 'rate_limited') return undefined
          throw error
        })
        if (!found) return
        const ours = numbers.filter((each) => OWN.includes(each))
        const shown = found.accessPoints.flatMap(({ macAddress, own }) =>
          own ? [[macAddress, own.lat]] : [],
        )
        expect(shown).toEqual(ours.map((each) => [mac(each), latOf(each)]))
        const { position: _, ...rest } = found
        const text = JSON.stringify(rest)
        for (const place of places.filter((lat) => !ours.some((each) => String(latOf(each)) === lat)))
          expect(text).not.toContain(`:${place},`)
        if (!found.shared) return
        const used = found.accessPoints.filter(({ outcome }) => outcome === 'used').length
        expect(used + found.shared.accessPoints.used).toBe(found.counts.accessPoints.used)
      }),
      { numRuns: 60 },
    )
  })
})
