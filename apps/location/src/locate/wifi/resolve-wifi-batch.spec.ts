import { isErrorCode, OperationError } from '@bearing/contracts/errors'
import { changePositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import { listLatestPositions } from '@bearing/contracts/location/positions/latest-position'
import { resolveWifiBatch, type ScanOutcome } from '@bearing/contracts/location/lookups/wifi-batch'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Request } from '@bearing/contracts/operation'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { v7 } from 'uuid'
import { Callers, importAll } from '../../testing/test-caller.js'
import { problemOf } from '../scan-problem.js'

type Scan = Omit<Request<typeof resolveWifiLocation>, 'organization_id' | 'project_id'>

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const owner = forSuite(() => callers.newOrganization())
let scope: { organization_id: string; project_id: string }
beforeAll(async () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index): [string, number, number, null] => {
      const number = from + index
      return [address(number), 48 + (number % 5) * 1e-4 + (FAR.includes(number) ? 1 : 0), 11, null]
    })
  await importAll(owner, 'positions', rows(0, 15))
  await importAll(callers.operator, 'positions', rows(15, 30))
})
beforeEach(() => {
  scope = { organization_id: owner.organizationId, project_id: v7() }
})

/** These are elsewhere. One of the base layer alone, so that random scans seldom search it, which is limited. */
const FAR = [7, 14, 28]
/** Each of a radio of its own. 0 to 14 are the organization's, 15 to 29 are of the base layer, the others unknown. */
const address = (number: number) => (0x02_bb_00_00_00_00 + number * 64).toString(16).padStart(12, '0')
const heard = (...numbers: readonly number[]) =>
  numbers.map((number) => ({ macAddress: address(number), signalStrength: -60 }))

const batch = async (scans: readonly unknown[]) =>
  (await owner.call(resolveWifiBatch, { ...scope, scans: scans as Scan[] })).results

/** The outcome of a request of one scan. */
async function single(scan: Scan): Promise<ScanOutcome> {
  try {
    return { location: await owner.call(resolveWifiLocation, { ...scope, ...scan }) }
  } catch (error) {
    if (!(error instanceof OperationError) || !isErrorCode(error.code)) throw error
    return { error: problemOf(error) }
  }
}

const reading = fc.record(
  {
    macAddress: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 40 }).map(address) },
      { weight: 1, arbitrary: fc.constantFrom('ff:ff:ff:ff:ff:ff', 'nothing', '') },
    ),
    signalStrength: fc.oneof(fc.integer({ min: -95, max: -40 }), fc.constantFrom(null, 7)),
    ssid: fc.constantFrom('Home', 'Home_nomap'),
    age: fc.constantFrom(0, 1_000, 30_000),
  },
  { requiredKeys: ['macAddress'] },
)
const scan: fc.Arbitrary<Scan> = fc.record(
  {
    accessPoints: fc.array(fc.oneof({ weight: 30, arbitrary: reading }, fc.constant(null)), {
      maxLength: 12,
    }),
    confidence: fc.oneof(fc.integer({ min: 50, max: 99 }), fc.constantFrom(10, null)),
    reply: fc.constantFrom(true, true, false),
    device_id: fc.constantFrom('UNIT-7', 'no serial number', null),
  },
  { requiredKeys: ['accessPoints'] },
)

describe('a batch of scans', () => {
  it('has the outcomes of single requests, in order, whatever the scans are', async () => {
    await owner.call(changePositionPolicy, { ...scope, store_positions: true, retention_days: 30 })
    await fc.assert(
      fc.asyncProperty(fc.array(scan, { minLength: 1, maxLength: 100 }), async (scans) => {
        const [together, alone] = [await batch(scans), [] as ScanOutcome[]]
        for (const one of scans) alone.push(await single(one))
        expect(together).toEqual(alone)
      }),
      { numRuns: 25 },
    )
  })

  it('has the outcomes of single requests where it is read from its bytes', async () => {
    const usual = fc.record({
      accessPoints: fc.array(
        fc.record(
          {
            macAddress: fc.integer({ min: 0, max: 40 }).map(address),
            signalStrength: fc.integer({ min: -95, max: -40 }),
            age: fc.constantFrom(0, 1_000, 30_000),
          },
          { requiredKeys: ['macAddress'] },
        ),
        { minLength: 1, maxLength: 12 },
      ),
    })
    let found = 0
    await fc.assert(
      fc.asyncProperty(fc.array(usual, { minLength: 1, maxLength: 40 }), async (scans) => {
        // In this order, as the gateway writes it. Single requests with their ids in the body are read by the schema.
        const request = { scans, ...scope }
        expect(resolveWifiBatch.readUsual?.(Buffer.from(JSON.stringify(request)), {})).toBeDefined()
        const [{ results }, alone] = [await owner.call(resolveWifiBatch, request), [] as ScanOutcome[]]
        for (const one of scans) alone.push(await single(one))
        expect(results).toEqual(alone)
        found += results.filter(({ location }) => location).length
      }),
      { numRuns: 25 },
    )
    // Not only refusals were compared. The number of positions is a matter of chance: 79 once, mostly more than 100.
    expect(found).toBeGreaterThan(0)
  })

  it('has a position, what is missing, and what cannot be read, each alone', async () => {
    const results = await batch([
      { accessPoints: heard(1, 2) },
      { accessPoints: heard(31, 32) },
      'no scan',
      { accessPoints: heard(1, 2), reply: false },
      { accessPoints: 5 },
      { accessPoints: [] },
    ])
    expect(results).toMatchObject([
      { location: { fulfilledWith: 'WIFI', accessPoints: { used: 2 } } },
      { error: { code: 'location_not_found', reason: 'too_few_known', accessPoints: { received: 2 } } },
      { error: { code: 'invalid_input' } },
      { location: null },
      { error: { code: 'invalid_input', errors: [{ pointer: '/accessPoints' }] } },
      { error: { code: 'too_few_access_points', reason: 'too_few_usable' } },
    ])
  })

  it('stores the position of each scan that names a device', async () => {
    await owner.call(changePositionPolicy, { ...scope, store_positions: true, retention_days: 30 })
    const results = await batch(
      Array.from({ length: 100 }, (_, n) => ({
        accessPoints: heard(1, 2),
        ...(n % 2 === 0 && { device_id: `UNIT-${String(n)}` }),
      })),
    )
    expect(results.filter(({ location }) => location?.stored === true)).toHaveLength(50)
    expect(await owner.call(listLatestPositions, scope)).toMatchObject({ data: { length: 50 } })
  })

  it('is of 1 to 100 scans', async () => {
    const scans = (length: number) => Array.from({ length }, () => ({ accessPoints: [] }))
    for (const length of [0, 101])
      await expect(batch(scans(length))).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await batch(scans(100))).toHaveLength(100)
  })

  it('passes the limit of searches in the base layer no more often than single requests', async () => {
    const other = await callers.newOrganization()
    const ask = async (scans: readonly Scan[]) =>
      (
        await other.call(resolveWifiBatch, {
          ...scope,
          organization_id: other.organizationId,
          scans: [...scans],
        })
      ).results
    const [searching, near] = [{ accessPoints: heard(28, 29) }, { accessPoints: heard(16, 17) }]
    const results = [
      ...(await ask(Array.from({ length: 100 }, () => searching))),
      ...(await ask([...Array.from({ length: 60 }, () => searching), near])),
    ]
    const codes = results.map(({ error }) => error?.code)
    expect(codes.filter((code) => code === 'location_not_found')).toHaveLength(120)
    expect(results.at(-1)).toMatchObject({
      error: { code: 'rate_limited', retry_after: expect.any(Number) as unknown },
    })
  })

  it('passes that limit no more often by previous scans', async () => {
    const other = await callers.newOrganization()
    const ask = async (scans: readonly Scan[]) => {
      const organization_id = other.organizationId
      return (await other.call(resolveWifiBatch, { ...scope, organization_id, scans: [...scans] })).results
    }
    const near = { accessPoints: heard(16, 17) }
    const searching = [1, 2, 3, 4, 5].map((age) => ({ age: 1_000 * age, accessPoints: heard(28, 29) }))
    const results = await ask(Array.from({ length: 24 }, () => ({ ...near, previousScans: searching })))
    expect(results.filter(({ location }) => location)).toHaveLength(24)
    expect(await ask([near])).toMatchObject([{ error: { code: 'rate_limited' } }])
  })
})
