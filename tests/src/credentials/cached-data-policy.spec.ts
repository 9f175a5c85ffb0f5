import { randomUUID } from 'node:crypto'
import { DEFAULT_DATA_POLICY } from '@bearing/contracts/management/data/data-policy'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject, type TestProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { clearOfMidnight } from '../tools/clear-of-midnight.js'
import { TestDevice } from '../tools/device-data.js'

/** Unknown devices that an address may ask for in ten minutes. */
const GUESSES = 300
const CONCURRENT = 10
/** Less than the time for which a gateway caches that a device is not known, in milliseconds. */
const BEFORE_EXPIRY_MS = 4_500

describe('the cache of gateways for devices and quotas', () => {
  const stack = stackForSuite({ oneProcess: true, gateways: 2 })
  const own = forSuite(() => newOrganization(stack))
  let project: TestProject

  beforeEach(async () => {
    project = await newProject(own)
  })

  const device = () => new TestDevice(stack.gatewayUrls[0] ?? '', own, project)
  const change = (policy: Partial<typeof DEFAULT_DATA_POLICY>) =>
    own.token.client.call('changeDataPolicy', {
      organization: own.slug,
      project: project.slug,
      ...DEFAULT_DATA_POLICY,
      ...policy,
    })
  const pathOf = (serial: string) => `/api/v0/chunks/${serial}`

  /** Returns the status that each gateway answers a device with. */
  async function answers(serial: string): Promise<number[]> {
    const replies: number[] = []
    for (const gateway of stack.gatewayUrls)
      replies.push((await new TestDevice(gateway, own, project).send('x', undefined, pathOf(serial))).status)
    return replies
  }

  it('every gateway rejects a deleted device, and accepts it after it is registered again, before the cache entries expire', async () => {
    await change({ known_devices_only: true })
    const one = device()
    await own.token.client.call('registerDevice', one.address)
    await eventually(async () => expect(await answers(one.serial)).toEqual([202, 202]))
    await own.token.client.call('deleteDevice', one.address)
    await eventually(async () => expect(await answers(one.serial)).toEqual([403, 403]))
    await own.token.client.call('registerDevice', one.address)
    await eventually(async () => expect(await answers(one.serial)).toEqual([202, 202]), {
      withinMs: BEFORE_EXPIRY_MS,
    })
  })

  it('a client that makes up serial numbers cannot cause a lookup for each; known and newly registered devices are still accepted', async () => {
    await change({ known_devices_only: true })
    const [known, later] = [device(), device()]
    await own.token.client.call('registerDevice', known.address)
    await eventually(async () => expect((await known.send('x')).status).toBe(202))
    const seen = new Map<number, number>()
    let left = GUESSES + 50
    const guess = async () => {
      while (left-- > 0) {
        const { status } = await known.send('x', undefined, pathOf(`GUESS-${randomUUID()}`))
        seen.set(status, (seen.get(status) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, guess))
    // Those that ask at the same moment are asked about together.
    expect(seen.get(403)).toBeGreaterThanOrEqual(GUESSES)
    expect(seen.get(403)).toBeLessThan(GUESSES + CONCURRENT)
    expect([...seen.keys()].sort()).toEqual([403, 503])
    expect((await known.send('x')).status).toBe(202)
    const refused = await later.send('x')
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'rate_limited' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await own.token.client.call('registerDevice', later.address)
    await eventually(async () => expect((await later.send('x')).status).toBe(202))
  })

  it('bytes that were let through count although they are not stored yet, whenever the policy is read again', async () => {
    await clearOfMidnight()
    await change({ bytes_per_day: 100 })
    const [one] = [device()]
    await eventually(async () => expect((await one.send('x'.repeat(101))).status).toBe(503))
    const admin = new pg.Client(stack.adminDatabaseUrl)
    await admin.connect()
    try {
      await admin.query('BEGIN; LOCK TABLE management.device_chunks IN ACCESS EXCLUSIVE MODE')
      expect((await one.send('x'.repeat(60))).status).toBe(202)
      await change({ bytes_per_day: 110 })
      // The gateway has applied the change as soon as five bytes more than before are let through.
      await eventually(async () => expect((await one.send('x'.repeat(45))).status).toBe(202))
      expect((await one.send('x'.repeat(60))).status).toBe(503)
      await admin.query('ROLLBACK')
      expect((await one.stored(2)).map(({ length }) => length)).toEqual([60, 45])
      expect((await one.send('x'.repeat(6))).status).toBe(503)
      expect((await one.send('x'.repeat(5))).status).toBe(202)
    } finally {
      await admin.end()
    }
  })
})
