import { gzipSync } from 'node:zlib'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'

/** Requests of clients of public geolocation services, as written down from their sources. */
const own = forSuite(() => newOrganization())
const gateway = () => testStack().gatewayUrls[0] ?? ''

describe('contributors of scans', () => {
  const report = (number: number) => ({
    timestamp: 1_790_000_000_000 + number * 10_000,
    position: { latitude: 48 + number / 1_000, longitude: 11, accuracy: 4.5, source: 'gps', heading: 12.5 },
    wifiAccessPoints: Array.from({ length: 12 }, (_, i) => ({
      ...{ macAddress: `02:cc:00:00:0${(number % 10).toString()}:${(i + 16).toString(16)}`, age: 120 },
      ...{ radioType: '802.11n', channel: 6, frequency: 2437, signalStrength: -60 - i, ssid: 'name' },
    })),
    cellTowers: [],
    bluetoothBeacons: [],
  })
  /** As NeoStumbler sends them, with access points of some 145 bytes. */
  const largest = (reports: number, accessPoints: number) =>
    Array.from({ length: reports }, (_, number) => ({
      ...report(number),
      wifiAccessPoints: Array.from({ length: accessPoints }, (_, index) => ({
        ...{ macAddress: `02:cc:01:00:${(16 + index).toString(16)}:40`, radioType: '802.11ax', age: 1_321 },
        ...{ channel: 6, frequency: 2_437, signalStrength: -58, ssid: 'a name of 24 characters!' },
      })),
    }))
  const submit = (items: unknown, query = `?key=${own.project.key}`) =>
    send(gateway(), 'POST', `/v2/geosubmit${query}`, {
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ items })),
    })

  it('submit reports with the key in the URL, as many as a body may have, and read {}', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, number) => report(number))
    expect(await submit(thousand)).toMatchObject({
      status: 400,
      json: { error: { message: expect.any(String) as unknown } },
    })
    await own.admin.client.call('changeProjectSettings', {
      ...{
        organization: own.slug,
        project: own.project.slug,
        project_key_may_locate: true,
        project_key_may_contribute: true,
      },
    })
    await eventually(async () => {
      expect(await submit([report(1)])).toMatchObject({ status: 200, text: '{}' })
    })
    expect(await submit(thousand)).toMatchObject({ status: 200, text: '{}' })
    const uploaded = Array.from({ length: 1_500 }, (_, number) => ({ ...report(number), cellTowers: null }))
    for (const items of [[], uploaded, largest(950, 60)])
      expect(await submit(items)).toMatchObject({ status: 200, text: '{}' })
    expect(await submit('text')).toMatchObject({ status: 400, json: { error: { code: 400 } } })
    for (const items of [largest(1_000, 150), 'x'.repeat(13_000_000), Array(300_000).fill([])])
      expect(await submit(items)).toMatchObject({
        status: 413,
        json: { error: { code: 413, errors: [{ reason: 'requestTooLarge' }] } },
      })
    expect((await submit([report(1)], '?key=0')).status).toBe(400)
  })
})

it('a report that cannot be read, or is wrong, costs none of the others', async () => {
  const open = await newProject(own)
  await own.admin.client.call('changeProjectSettings', {
    ...{
      organization: own.slug,
      project: open.slug,
      project_key_may_locate: true,
      project_key_may_contribute: true,
    },
  })
  const wifiAccessPoints = [16, 17, 18].map((last) => ({
    macAddress: `02:cd:00:${String(last)}:00:00`,
    signalStrength: -60,
  }))
  const good = (more: object) => ({
    position: { latitude: 46.5, longitude: 9.5, ...more },
    wifiAccessPoints,
  })
  const items = [
    ...[good({ accuracy: 8 }), { wifiAccessPoints }, { latitude: 46.5, longitude: 9.5 }, null, 7, 'x'],
    ...[good({ latitude: 100 }), { ...good({}), wifiAccessPoints: 'none' }, good({ accuracy: -1 })],
    ...[good({ accuracy: 10, speed: -1, heading: 360.5, source: 7 })],
  ]
  const locate = { wifiAccessPoints }
  await eventually(async () => {
    const reply = await send(gateway(), 'POST', `/v2/geosubmit?key=${open.key}`, { body: { items } })
    expect(reply).toMatchObject({ status: 200, text: '{}' })
  })
  await eventually(async () => {
    const reply = await send(gateway(), 'POST', `/v1/geolocate?key=${open.key}`, { body: locate })
    expect(reply).toMatchObject({ status: 200, json: { location: { lat: expect.closeTo(46.5, 3) } } })
  })
})
