import { connectTo } from '@bearing/testing/connect-to'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { listDevicePositions } from '@bearing/contracts/location/positions/device-position'
import { resolveGroundFix } from '@bearing/contracts/location/lookups/ground-fix'
import { geolocate } from '@bearing/contracts/location/lookups/geolocate'
import {
  NO_FALLBACK,
  setLocationFallback,
  showLocationFallback,
  turnOffLocationFallback,
} from '@bearing/contracts/location/settings/location-fallback'
import { changePositionPolicy } from '@bearing/contracts/location/positions/position-policy'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import type { Request } from '@bearing/contracts/operation'
import { eventually } from '@bearing/testing/eventually'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { TestProvider, answers } from '../../testing/test-provider.js'
import { Callers, importAll, type Caller } from '../../testing/test-caller.js'

const callers = forSuite(() => Callers.open(testStack().natsUrl))
const database = forSuite(() => connectTo(testStack().databaseUrls.location))

let server: TestProvider
beforeEach(async () => {
  server = await TestProvider.start()
})
afterEach(() => server[Symbol.asyncDispose]())

type Options = Omit<Request<typeof setLocationFallback>, 'organization_id' | 'url'>

/** Of two radios that nobody knows; others for each number, up to 65,535. */
const scan = (number: number) =>
  [1, 2].map((radio) => ({
    macAddress: `02:fb:${number.toString(16).padStart(4, '0').replace(/..$/, ':$&')}:0${String(radio)}:00`,
    signalStrength: -40 - radio,
  }))
const CELL = { mcc: 262, mnc: 78, tac: 7, eci: 1 }
const NOWHERE = { code: 'location_not_found' }
/** A change is heard of by every process. */
const SOON = { withinMs: 30_000, everyMs: 50 }
/** The scan before the first that an organization asks about alone: those of tests are below. */
const FIRST_SCAN = 1_000
const KEY = 'geo-s3cret-of-acme'

/** An organization, with a fallback or none. */
class Organization {
  private scans = FIRST_SCAN
  readonly scope
  constructor(readonly caller: Caller & { readonly organizationId: string }) {
    this.scope = { organization_id: caller.organizationId, project_id: v7() }
  }

  static async new(): Promise<Organization> {
    return new Organization(await callers.newOrganization())
  }

  set(options: Options = {}, url = server.url) {
    return this.caller.call(setLocationFallback, {
      organization_id: this.scope.organization_id,
      url,
      // As long as may be: five that take longer on a busy machine, and the provider is left alone.
      timeout_ms: 3_000,
      ...options,
    })
  }

  show() {
    return this.caller.call(showLocationFallback, { organization_id: this.scope.organization_id })
  }

  off() {
    return this.caller.call(turnOffLocationFallback, { organization_id: this.scope.organization_id })
  }

  /** Each time with another scan. */
  locate(rest: Partial<Request<typeof resolveWifiLocation>> = {}) {
    return this.caller.call(resolveWifiLocation, {
      ...this.scope,
      accessPoints: scan(++this.scans),
      ...rest,
    })
  }

  /** Once the fallback counts. */
  located() {
    return eventually(() => this.locate(), SOON)
  }
}

describe('where a position is not known', () => {
  it('nobody is asked unless an organization wants it; then its provider is, and no other organization’s', async () => {
    const [own, other] = [await Organization.new(), await Organization.new()]
    expect(await own.show()).toEqual(NO_FALLBACK)
    await expect(own.locate()).rejects.toMatchObject(NOWHERE)
    await own.set()
    expect(await own.located()).toEqual({
      ...{ lat: 50, lon: 10, uncertainty: 100, fulfilledWith: 'WIFI', fallback: true },
      accessPoints: { received: 2, usable: 2 },
    })
    const asked = server.asked.length
    await expect(other.locate()).rejects.toMatchObject(NOWHERE)
    expect(server.asked).toHaveLength(asked)
  })

  it('what the provider of one organization has answered is returned to no other that asks the same', async () => {
    const [own, other] = [await Organization.new(), await Organization.new()]
    await own.set()
    await own.located()
    await other.set({}, `${server.url}/other`)
    server.respond = answers(404, {})
    const same = server.asked.at(-1)?.body as { wifiAccessPoints: { macAddress: string }[] }
    const accessPoints = same.wifiAccessPoints
    expect(await own.locate({ accessPoints })).toMatchObject({ lat: 50 })
    await eventually(async () => {
      await expect(other.locate()).rejects.toMatchObject(NOWHERE)
      expect(server.asked.at(-1)?.url).toBe('/v1/geolocate/other')
    }, SOON)
    await expect(other.locate({ accessPoints })).rejects.toMatchObject(NOWHERE)
  })

  it('the radius is that of the confidence that was asked for', async () => {
    const own = await Organization.new()
    await own.set({ accuracy_confidence: 95 })
    await own.located()
    expect((await own.locate({ confidence: 95 }))?.uncertainty).toBeCloseTo(100, 6)
    expect((await own.locate())?.uncertainty).toBeCloseTo(100 / 1.6215, 1)
  })

  it('cells are asked about too, and everything that a device receives; what is known is not', async () => {
    const own = await Organization.new()
    await own.set()
    await own.located()
    const { caller, scope } = own
    const cells = { ...scope, lte: [CELL, { ...CELL, eci: 2 }] }
    expect(await caller.call(resolveCellLocation, cells)).toMatchObject({
      ...{ lat: 50, fulfilledWith: 'MCELL', fallback: true },
      cells: { usable: 2, known: 0, used: 0 },
    })
    expect(await caller.call(resolveGroundFix, { ...scope, lte: [CELL] })).toMatchObject({
      ...{ fulfilledWith: 'SCELL', fallback: true },
    })
    expect(await caller.call(resolveGroundFix, { ...cells, wifi: scan(90) })).toMatchObject({
      ...{ fulfilledWith: 'WIFI', fallback: true },
    })
    const asked = server.asked.length
    await importAll(
      caller,
      'positions',
      scan(91).map(({ macAddress }) => [macAddress, 48, 11, null]),
    )
    const known = { ...scope, accessPoints: scan(91), lte: [CELL] }
    await eventually(async () => {
      const found = await caller.call(resolveGroundFix, known)
      expect(found).toMatchObject({ lat: expect.closeTo(48, 3) as unknown, fulfilledWith: 'WIFI' })
      expect(Object.keys(found ?? {})).not.toContain('fallback')
    }, SOON)
    expect(server.asked.length - asked).toBeLessThanOrEqual(1)
  })

  it('no single radio and no network that opted out is sent; clients of /v1/geolocate have nobody asked', async () => {
    const own = await Organization.new()
    await own.set()
    await own.located()
    const asked = server.asked.length
    const [one, two] = scan(92)
    await expect(own.locate({ accessPoints: one ? [one] : [] })).rejects.toMatchObject({
      code: 'too_few_access_points',
    })
    const third = { macAddress: '02:fb:00:5c:03:00', ssid: 'mine_nomap' }
    await expect(own.locate({ accessPoints: one ? [one, third] : [] })).rejects.toMatchObject({
      code: 'too_few_access_points',
    })
    await expect(
      own.caller.call(geolocate, { ...own.scope, wifiAccessPoints: scan(93) }),
    ).rejects.toMatchObject(NOWHERE)
    expect(server.asked).toHaveLength(asked)
    await own.locate({ accessPoints: one && two ? [one, two, third] : [] })
    const sent = JSON.stringify(server.asked.at(-1))
    expect(sent).toContain(one?.macAddress)
    for (const not of [third.macAddress, 'nomap', own.scope.organization_id, own.scope.project_id])
      expect(sent).not.toContain(not)
  })

  it('a provider that fails, lies or takes too long is as none, and the answer comes in time', async () => {
    const own = await Organization.new()
    await own.set()
    await own.located()
    for (const lie of [answers(500, 'x'), answers(200, '{"location":{"lat":99,"lng":0},"accuracy":1}')]) {
      server.respond = lie
      await expect(own.locate()).rejects.toMatchObject(NOWHERE)
    }
    server.respond = () => undefined
    // The caller times out after five seconds, and would throw another error then.
    await expect(own.locate()).rejects.toMatchObject(NOWHERE)
  })

  it('the position is stored for the device like every other, and says where it is from', async () => {
    const own = await Organization.new()
    await own.caller.call(changePositionPolicy, { ...own.scope, store_positions: true, retention_days: 1 })
    await own.set()
    await own.located()
    expect(await own.locate({ device_id: 'UNIT-7' })).toMatchObject({ stored: true, fallback: true })
    const { data } = await own.caller.call(listDevicePositions, { ...own.scope, device_serial: 'UNIT-7' })
    expect(data).toMatchObject([{ lat: 50, lon: 10, fulfilledWith: 'WIFI', fallback: true }])
    expect(JSON.stringify(server.asked)).not.toContain('UNIT-7')
  })

  it('nobody is asked any more once it is turned off', async () => {
    const own = await Organization.new()
    await own.set({ key: KEY })
    await own.located()
    expect(await own.off()).toEqual(NO_FALLBACK)
    await eventually(() => expect(own.locate()).rejects.toMatchObject(NOWHERE), SOON)
    const asked = server.asked.length
    for (let i = 0; i < 5; i++) await expect(own.locate()).rejects.toMatchObject(NOWHERE)
    expect(server.asked).toHaveLength(asked)
    expect(await own.show()).toEqual(NO_FALLBACK)
  })
})

describe('the key of a provider', () => {
  it('is sent, and neither shown, nor stored as it is, nor in the audit log', async () => {
    const own = await Organization.new()
    expect(await own.set({ key: KEY })).toMatchObject({ url: server.url, has_key: true, key_as: 'query' })
    await own.located()
    expect(server.asked.at(-1)?.url).toBe(`/v1/geolocate?key=${KEY}`)
    expect(await own.set({ key_as: 'bearer', requests_per_minute: 7 })).toMatchObject({ has_key: true })
    await eventually(async () => {
      await own.locate()
      expect(server.asked.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`)
    }, SOON)
    const id = [own.scope.organization_id]
    const { rows: stored } = await database.query(
      `SELECT f::text, encode(key_box, 'escape') AS box FROM location_fallbacks f WHERE organization_id = $1`,
      id,
    )
    const { rows: audited } = await database.query<{ action: string; details: Record<string, unknown> }>(
      'SELECT action, details FROM audit_log WHERE organization_id = $1 ORDER BY id',
      id,
    )
    expect(JSON.stringify([stored, audited, await own.show()])).not.toContain(KEY)
    expect(audited.map(({ action }) => action)).toEqual(['location_fallback.set', 'location_fallback.set'])
    expect(audited[1]?.details).toMatchObject({
      ...{ url: server.url, url_before: server.url, has_key: true, has_key_before: true, new_key: false },
      requests_per_minute: 7,
    })
    await own.off()
    const { rows: last } = await database.query(
      'SELECT details FROM audit_log WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
      id,
    )
    expect(last).toEqual([{ details: { url_before: server.url } }])
  })

  it('is not sent to another URL, whether a caller names one or somebody has changed the table', async () => {
    const [own, other] = [await Organization.new(), await Organization.new()]
    await own.set({ key: KEY })
    expect(await own.set({}, `${server.url}/elsewhere`)).toMatchObject({ has_key: false })
    expect(await own.set({ key: KEY })).toMatchObject({ has_key: true })
    expect(await own.set({ key: null })).toMatchObject({ has_key: false })
    await own.set({ key: KEY })
    await other.set()
    await other.located()
    // Written behind the back of the service: the key of one organization, and another URL beside a key.
    await database.query(
      `UPDATE location_fallbacks AS target SET key_box = source.key_box, key_id = source.key_id, updated_at = now()
       FROM location_fallbacks AS source WHERE target.organization_id = $1 AND source.organization_id = $2`,
      [other.scope.organization_id, own.scope.organization_id],
    )
    await eventually(() => expect(other.locate()).rejects.toMatchObject(NOWHERE), SOON)
    await database.query(
      `UPDATE location_fallbacks SET url = url || '/x', updated_at = now() WHERE organization_id = $1`,
      [own.scope.organization_id],
    )
    await eventually(() => expect(own.locate()).rejects.toMatchObject(NOWHERE), SOON)
    expect(JSON.stringify(server.asked.filter(({ url }) => url.includes('/x')))).not.toContain(KEY)
  })
})

describe('a URL is refused', () => {
  it.each([
    ['https://10.0.0.1/', 'not public'],
    ['https://169.254.169.254/latest/meta-data', 'not public'],
    ['https://[::1]/', 'not public'],
    ['https://[::ffff:10.0.0.1]/', 'not public'],
    ['http://203.0.114.1/', 'only https'],
    ['https://geo.example/?key=abc', 'no query'],
    ['https://geo.example/#x', 'no query'],
    ['https://user:pass@geo.example/', 'no query'],
    ['ftp://geo.example/', ''],
    ['file:///etc/passwd', ''],
    ['geo.example', ''],
  ])('%s', async (url, why) => {
    const own = await Organization.new()
    await expect(own.set({}, url)).rejects.toMatchObject({
      code: 'invalid_input',
      details: { errors: [{ pointer: '/url', detail: expect.stringContaining(why) as unknown }] },
    })
    expect(await own.show()).toEqual(NO_FALLBACK)
  })

  it.each([{ key: '' }, { key: 'a b' }, { key: 'a\r\nx: y' }, { key: 'ü' }, { key: 'x'.repeat(1_025) }])(
    'and so is a key that would be more than a key: %j',
    async (options) => {
      const own = await Organization.new()
      await expect(own.set(options)).rejects.toMatchObject({ code: 'invalid_input' })
    },
  )
})
