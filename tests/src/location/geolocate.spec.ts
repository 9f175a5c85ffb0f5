import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { connectTo } from '@bearing/testing/connect-to'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { Browser } from '../tools/browser.js'
import { headersOf, send, type Sent } from '../tools/http.js'

const LAYER = '00000000-0000-0000-0000-000000000000'
const SCAN = {
  considerIp: true,
  wifiAccessPoints: [
    { macAddress: '02:bb:00:00:01:00', signalStrength: -50, age: 10, channel: 11, signalToNoiseRatio: 20 },
    { macAddress: '02:bb:00:00:02:00', signalStrength: -60 },
  ],
}
const CELL = {
  radioType: 'gsm',
  cellTowers: [{ mobileCountryCode: 262, mobileNetworkCode: 2, locationAreaCode: 5, cellId: 6 }],
}

/** Requests and replies of clients of public geolocation services. */
describe('POST /v1/geolocate', () => {
  const stack = stackForSuite({ oneProcess: true })
  const own = forSuite(() => newOrganization(stack))
  const project = forSuite(() => newProject(own))

  beforeAll(async () => {
    await own.admin.client.call('changeProjectSettings', {
      organization: own.slug,
      project: project.slug,
      project_key_may_locate: true,
    })
    await using database = await connectTo(stack.databaseUrls.location)
    for (const last of [0x100, 0x200])
      await database.query('INSERT INTO access_points VALUES ($1, $2, 48, 11, 10, 1, 5, false, now())', [
        0x02_bb_00_00_00_00 + last,
        LAYER,
      ])
    await database.query('INSERT INTO cells VALUES (2, 262, 2, 5, 6, $1, 47, 10, 1000, 100, now())', [LAYER])
  })

  const ask = (query: string, sent: Sent = {}) =>
    send(stack.gatewayUrls[0] ?? '', 'POST', `/v1/geolocate${query}`, { body: SCAN, ...sent })
  const allowed = async (query: string, sent: Sent = {}) =>
    eventually(async () => {
      const reply = await ask(query, sent)
      expect(reply.json?.['error'] ?? {}).not.toMatchObject({ errors: [{ reason: 'keyInvalid' }] })
      return reply
    })

  it('answers location and accuracy, by Wi-Fi and by cells, with the key in the URL or the header', async () => {
    for (const reply of [
      await allowed(`?key=${project.key}`),
      await ask('', { headers: { 'service-project-key': project.key } }),
    ]) {
      expect(reply.status).toBe(200)
      expect(reply.json).toEqual({
        location: { lat: expect.closeTo(48, 4), lng: expect.closeTo(11, 4) },
        accuracy: expect.any(Number),
      })
    }
    expect((await ask(`?key=${project.key}`, { body: CELL })).json).toMatchObject({
      location: { lat: expect.closeTo(47, 6), lng: expect.closeTo(10, 6) },
    })
  })

  it.each([
    ['no key', () => ['', {}] as const, 400, 'keyInvalid'],
    ['a key that there is not', () => [`?key=${'0'.repeat(32)}`, {}] as const, 400, 'keyInvalid'],
    ['two keys', () => [`?key=${project.key}&key=${project.key}`, {}] as const, 400, 'keyInvalid'],
    [
      'a key whose project does not allow it',
      () => [`?key=${own.project.key}`, {}] as const,
      400,
      'keyInvalid',
    ],
    [
      'an organization token, which is of no project',
      () => ['', { headers: headersOf(own.token.credential) }] as const,
      400,
      'keyInvalid',
    ],
    ['what is no JSON', () => [`?key=${project.key}`, { body: '{' }] as const, 400, 'parseError'],
    [
      'another shape',
      () => [`?key=${project.key}`, { body: { wifiAccessPoints: 1 } }] as const,
      400,
      'parseError',
    ],
    [
      'access points that nobody knows',
      () =>
        [
          `?key=${project.key}`,
          {
            body: {
              wifiAccessPoints: [{ macAddress: '02:bb:00:00:09:10' }, { macAddress: '02:bb:00:00:0a:00' }],
            },
          },
        ] as const,
      404,
      'notFound',
    ],
    [
      'nothing, and the address of the caller is not looked up',
      () => [`?key=${project.key}`, { body: {} }] as const,
      404,
      'notFound',
    ],
  ])('reports %s as those clients read it', async (_, sent, status, reason) => {
    await allowed(`?key=${project.key}`)
    const [query, more] = sent()
    const reply = await ask(query, more)
    expect(reply.status).toBe(status)
    const message = expect.any(String) as unknown
    expect(reply.json).toEqual({
      error: { errors: [{ domain: expect.any(String), reason, message }], code: status, message },
    })
    expect(reply.text).not.toContain(project.key)
  })

  it.each([
    ['the content type of forms', SCAN, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', SCAN, { 'content-type': 'text/plain;charset=UTF-8' }],
    ['bytes', SCAN, { 'content-type': 'application/octet-stream' }],
    ['a byte order mark', `\ufeff${JSON.stringify(SCAN)}`, {}],
    ['gzip', gzipSync(JSON.stringify(SCAN)), { 'content-encoding': 'gzip' }],
    [
      'nulls for what is not there, numbers as texts, and entries that cannot be read',
      {
        cellTowers: [null, { mobileCountryCode: 'none' }],
        radioType: null,
        wifiAccessPoints: [
          { macAddress: '02:bb:00:00:01:00', signalStrength: '-50', channel: '11', ssid: 1234 },
          null,
          { macAddress: '' },
          { macAddress: '02-bb-0-0-2-0 ', signalStrength: null },
        ],
      },
      {},
    ],
  ])('takes %s', async (_, body, headers: Record<string, string>) => {
    await allowed(`?key=${project.key}`)
    const reply = await ask(`?key=${project.key}`, { body, headers })
    expect(reply).toMatchObject({ status: 200, json: { location: { lat: expect.closeTo(48, 4) } } })
  })

  it('takes no more in gzip than without, and says so where it is none', async () => {
    await allowed(`?key=${project.key}`)
    const inGzip = (body: Uint8Array) =>
      ask(`?key=${project.key}`, { body, headers: { 'content-encoding': 'gzip' } })
    const bomb = gzipSync(Buffer.alloc(32 * 1_024 * 1_024, ' '))
    const large = gzipSync(JSON.stringify({ ...SCAN, filler: 'x'.repeat(60 * 1_024) }))
    expect(bomb.length).toBeLessThan(64 * 1_024)
    expect(await inGzip(large)).toMatchObject({ status: 200 })
    expect(await inGzip(bomb)).toMatchObject({
      status: 413,
      json: { error: { code: 413, errors: [{ reason: 'requestTooLarge' }] } },
    })
    for (const body of [large.subarray(0, -9), Buffer.from(JSON.stringify(SCAN))])
      expect(await inGzip(body)).toMatchObject({
        status: 400,
        json: { error: { errors: [{ reason: 'parseError' }] } },
      })
  })

  it('takes a scan of any length that the body may have, by its strongest access points', async () => {
    await allowed(`?key=${project.key}`)
    const unknown = Array.from({ length: 800 }, (_, number) => ({
      macAddress: (0x02_bb_10_00_00_00 + number * 256).toString(16).padStart(12, '0'),
      signalStrength: -90,
    }))
    const cellTowers = Array.from({ length: 100 }, () => ({ radioType: 'lte' }))
    const body = { wifiAccessPoints: [...unknown, ...SCAN.wifiAccessPoints], cellTowers }
    expect(await ask(`?key=${project.key}`, { body })).toMatchObject({ status: 200 })
    const filler = 'x'.repeat(64 * 1_024)
    expect(await ask(`?key=${project.key}`, { body: { ...body, filler } })).toMatchObject({ status: 413 })
  })

  // Other sites can have a browser send such types without asking first, with its cookies and what it caches of Basic.
  it('lets nobody in by what a browser adds automatically', async () => {
    const { cookie } = await Browser.signIn(stack.gatewayUrls[0] ?? '', own.admin)
    for (const headers of [
      { cookie },
      headersOf(own.admin.credential),
      { ...headersOf(own.admin.credential), cookie },
    ])
      expect(await ask('', { headers: { ...headers, 'content-type': 'text/plain' } })).toMatchObject({
        status: 400,
        json: { error: { errors: [{ reason: 'keyInvalid' }] } },
      })
  })

  it('reports a wrong method as those clients read it', async () => {
    for (const method of ['GET', 'PUT']) {
      const reply = await send(stack.gatewayUrls[0] ?? '', method, `/v1/geolocate?key=${project.key}`)
      expect(reply).toMatchObject({
        status: 405,
        json: { error: { code: 405, errors: [{ reason: 'httpMethodNotAllowed' }] } },
      })
      expect(reply.headers.get('allow')).toBe('POST')
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    }
  })

  it('is in no log with its key, whatever becomes of the request', async () => {
    const wrong = randomUUID().replaceAll('-', '')
    await allowed(`?key=${project.key}`)
    await ask(`?key=${wrong}`)
    await ask(`?key=${project.key}`, { body: '{' })
    await send(stack.gatewayUrls[0] ?? '', 'GET', `/v1/geolocate?key=${project.key}`)
    const id = randomUUID()
    await ask(`?key=${own.project.key}`, { headers: { 'x-request-id': id } })
    await eventually(() => {
      expect(stack.output()).toContain(id)
    })
    for (const key of [project.key, wrong, own.project.key]) expect(stack.output()).not.toContain(key)
  })
})
