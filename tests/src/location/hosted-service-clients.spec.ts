import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { ROUTES } from '@bearing/contracts/routes'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { basic, send, type Reply } from '../tools/http.js'
import { sendRaw, type RawReply } from '../tools/raw-http.js'
import { prepare, put, sdkElfFile, type UploadTarget } from '../tools/uploading.js'

/** Requests of clients of a hosted service, as written down from their sources. */
describe('clients of the hosted service', () => {
  const stack = namedStack('small-limits')
  const own = forSuite(() => newOrganization(stack))
  let project: string
  const gateway = () => stack.gatewayUrls[0] ?? ''

  beforeAll(() => {
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  })

  function raw(line: string, headers: readonly string[], body = ''): Promise<RawReply> {
    const length = `content-length: ${String(Buffer.byteLength(body))}`
    return sendRaw(
      gateway(),
      [`${line} HTTP/1.1`, `host: ${new URL(gateway()).host}`, ...headers, length, '', body].join('\r\n'),
    )
  }

  const key = () => `vendor-project-key: ${own.project.key}`
  const target = (): UploadTarget => ({
    gateway: gateway(),
    project,
    credential: { kind: 'project_key', key: own.project.key },
  })

  /** Uploads bytes, and commits them with these attributes. */
  async function upload(path: string, bytes: Uint8Array, attributes: object): Promise<Reply> {
    const at = path.startsWith('/api/v0/upload')
      ? target()
      : { ...target(), credential: own.token.credential }
    const prepared = await prepare(at)
    expect((await put(prepared, bytes)).status).toBe(200)
    const body = { file: { token: prepared.token, name: 'file' }, ...attributes }
    return send(gateway(), 'POST', path, { credential: at.credential, body })
  }

  describe('the agent of a Linux device', () => {
    const serial = `LNX-${randomUUID()}`
    /** As serde writes it. */
    const info = `{"device_serial":"${serial}","hardware_version":"qemuarm64","software_version":"1.0.0","software_type":"main"}`
    const ask = async () => {
      const headers = [key(), 'content-type: application/json', 'accept: */*']
      const reply = await raw('POST /api/v0/device-config', headers, `{"device":${info}}`)
      return { status: reply.status, json: JSON.parse(reply.body) as unknown }
    }
    const config = (debugging: string, logging: string, monitoring: string) => ({
      data: {
        config: {
          memfault: {
            sampling: {
              'debugging.resolution': debugging,
              'logging.resolution': logging,
              'monitoring.resolution': monitoring,
            },
          },
        },
        revision: expect.any(Number) as unknown,
        completed: expect.any(Number) as unknown,
      },
    })

    it('may send everything by default, and what its project and then its device allow', async () => {
      const first = await ask()
      expect(first).toEqual({ status: 200, json: config('normal', 'normal', 'normal') })
      const address = { organization: own.slug, project: own.project.slug }
      const { client } = own.token
      const policy = await client.call('showDataPolicy', address)
      await client.call('changeDataPolicy', {
        ...address,
        ...policy,
        sampling: { debugging: 'high', logging: 'off', monitoring: 'normal' },
      })
      const second = await ask()
      expect(second).toEqual({ status: 200, json: config('high', 'off', 'normal') })
      await client.call('registerDevice', { ...address, device_serial: serial })
      await client.call('setDeviceSampling', { ...address, device_serial: serial, logging: 'low' })
      expect(await ask()).toEqual({ status: 200, json: config('high', 'low', 'normal') })
      const revisionOf = ({ json }: { json: unknown }) =>
        (json as { data: { revision: number } }).data.revision
      expect(revisionOf(first)).not.toBe(revisionOf(second))
      await client.call('setDeviceSampling', { ...address, device_serial: serial })
      await client.call('changeDataPolicy', { ...address, ...policy })
      expect(await ask()).toEqual(first)
    })

    it('commits a MAR file, and its device is in the list', async () => {
      const fresh = `LNX-${randomUUID()}`
      const headers = [key(), 'content-type: application/json', 'content-encoding: utf-8']
      const prepared = await raw(
        'POST /api/v0/upload',
        headers,
        `{"content_encoding":null,"size":4,"device":${info.replace(serial, fresh)},"kind":"MAR"}`,
      )
      const { upload_url, token } = (
        JSON.parse(prepared.body) as { data: { upload_url: string; token: string } }
      ).data
      expect((await put({ upload_url }, randomBytes(4))).status).toBe(200)
      const committed = await raw(
        'POST /api/v0/upload/mar',
        headers,
        `{"device_serial":"${fresh}","file":{"token":"${token}"},"hardware_version":"qemuarm64","software_type":"main","software_version":"1.0.0"}`,
      )
      expect(committed.status).toBe(202)
      const versions = { hardware_version: 'qemuarm64', software_type: 'main', software_version: '1.0.0' }
      const where = { organization: own.slug, project: own.project.slug }
      expect(await own.token.client.call('showDevice', { ...where, device_serial: fresh })).toMatchObject({
        ...versions,
        chunk_count: 0,
        first_seen_at: expect.any(String) as unknown,
        last_seen_at: expect.any(String) as unknown,
      })
      const { data } = await own.token.client.call('listFiles', { ...where, device_serial: fresh })
      expect(data).toMatchObject([{ kind: 'mar', ...versions }])
    })
  })

  describe('a custom data recording of the command line', () => {
    const recording = (device_serial: string, start_time: string) => ({
      start_time,
      duration_secs: 12,
      mimetypes: ['text/plain'],
      reason: 'button pressed',
      device: { device_serial, hardware_version: 'evt', software_type: 'main', software_version: '1.0.0' },
    })
    const NOON = '2026-11-23T12:00:00+00:00'
    const idOf = ({ json }: Reply) => (json?.data as { id: string }).id

    it('is another one from another device or at another time, and the same if nothing differs', async () => {
      const bytes = randomBytes(200)
      const path = '/api/v0/upload/custom-data-recording'
      const replies = [
        await upload(path, bytes, recording('CDR-A', NOON)),
        await upload(path, bytes, recording('CDR-B', NOON)),
        await upload(path, bytes, recording('CDR-A', '2026-11-23T13:00:00+00:00')),
        await upload(path, bytes, recording('CDR-A', NOON)),
      ]
      expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202])
      const ids = replies.map(idOf)
      expect(new Set(ids).size).toBe(3)
      expect(ids[3]).toBe(ids[0])
    })

    it('is shown with its attributes, with the singular address of tokens too', async () => {
      const committed = await upload(
        `${project}/custom-data-recording`,
        randomBytes(200),
        recording('CDR-C', NOON),
      )
      expect(committed.status).toBe(201)
      const file = await own.token.client.call('showFile', {
        organization: own.slug,
        project: own.project.slug,
        file_id: idOf(committed),
      })
      expect(file).toMatchObject({
        ...{ kind: 'custom-data-recording', device_serial: 'CDR-C', hardware_version: 'evt' },
        ...{ software_type: 'main', software_version: '1.0.0', start_time: NOON, duration_secs: 12 },
        ...{ mimetypes: ['text/plain'], reason: 'button pressed' },
        attributes: { ...recording('CDR-C', NOON), file: { name: 'file' } },
      })
    })

    it('of a device beyond the known ones is rejected, and creates no device', async () => {
      const address = { organization: own.slug, project: own.project.slug }
      const policy = await own.token.client.call('showDataPolicy', address)
      await own.token.client.call('changeDataPolicy', { ...address, ...policy, known_devices_only: true })
      const device_serial = `CDR-${randomUUID()}`
      const refused = await upload(
        '/api/v0/upload/custom-data-recording',
        randomBytes(9),
        recording(device_serial, NOON),
      )
      expect(refused).toMatchObject({ status: 403, json: { code: 'device_not_known' } })
      await own.token.client.call('changeDataPolicy', { ...address, ...policy })
      const shown = await send(gateway(), 'GET', `${project}/devices/${device_serial}`, own.token)
      expect(shown.status).toBe(404)
    })
  })

  describe('symbols without a GNU build id', () => {
    const commitSymbols = (bytes: Uint8Array, attributes: object) =>
      upload(`${project}/symbols`, bytes, attributes)
    const MAPPING =
      '# compiler: R8\n# pg_map_id: 1a2b3c4\ncom.example.app.Main -> a.a:\n    int counter -> a\n'

    it('are found by the build id of the firmware SDK, at the address that its command line asks', async () => {
      const buildId = randomBytes(20)
      const there = () =>
        send(gateway(), 'HEAD', `${project}/symbols-by-gnu-build-id/${buildId.toString('hex')}`, own.token)
      expect((await there()).status).toBe(404)
      const committed = await commitSymbols(sdkElfFile(buildId), {})
      expect(committed).toMatchObject({
        status: 201,
        json: { data: { gnu_build_id: buildId.toString('hex') } },
      })
      expect((await there()).status).toBe(200)
    })

    it('are found by their software version, as ProGuard mappings are', async () => {
      const unpatched = sdkElfFile(Buffer.from(`01${'00'.repeat(19)}`, 'hex'))
      expect(await commitSymbols(unpatched, {})).toMatchObject({
        status: 400,
        json: { code: 'symbols_invalid' },
      })
      const version = { version: '1.2.3', software_type: 'main', revision: '89335ffa' }
      const elf = await commitSymbols(unpatched, { software_version: version })
      expect(elf).toMatchObject({
        status: 201,
        json: { data: { gnu_build_id: null, software_version: '1.2.3' } },
      })
      for (const code of ['1', '2']) {
        const app = { version: `1.0:${code}`, software_type: 'com.example.app' }
        expect(await commitSymbols(Buffer.from(MAPPING), { software_version: app })).toMatchObject({
          status: 201,
        })
      }
      const { data } = await own.token.client.call('listFiles', {
        ...{ organization: own.slug, project: own.project.slug, kind: 'symbols' },
        ...{ software_type: 'com.example.app', software_version: '1.0:2' },
      })
      expect(data).toMatchObject([{ kind: 'symbols', software_version: '1.0:2' }])
      const noise = await commitSymbols(Buffer.from('no symbols'), { software_version: version })
      expect(noise).toMatchObject({ status: 400, json: { code: 'symbols_invalid' } })
    })
  })

  it('the login of the debugger reads the user at the top of the reply, beside data', async () => {
    const { email, apiKey } = own.admin
    const reply = await send(gateway(), 'GET', '/auth/me', {
      headers: { authorization: basic(email, apiKey) },
    })
    const { user_id: id } = reply.json?.data as { user_id: string }
    expect(reply.json).toMatchObject({ id, email, name: email, data: { kind: 'user' } })
  })

  it.each(['Content-Type: ', 'Content-Type: text', 'Content-Type: application/x-www-form-urlencoded', ''])(
    'bytes are put to a signed URL with the header "%s"',
    async (type) => {
      const prepared = await prepare(target())
      const { pathname, search } = new URL(prepared.upload_url)
      const reply = await raw(`PUT ${pathname}${search}`, type === '' ? [] : [type], 'bytes')
      expect(reply.status).toBe(200)
    },
  )

  it('a chunk with an empty content type is one chunk', async () => {
    const reply = await raw('POST /api/v0/chunks/EMPTY-TYPE', [key(), 'Content-Type:'], 'abc')
    expect([reply.status, reply.body]).toEqual([202, '{"data":{"chunks":1}}'])
  })

  it.each(['/api/v0/releases/latest/url?&device_serial=A&hardware_version=evt', '/api/v0/releases/latest'])(
    'a device that asks for an update is up to date: %s',
    async (path) => {
      const headers = { 'vendor-project-key': own.project.key }
      expect(await send(gateway(), 'GET', path, { headers })).toMatchObject({ status: 204, text: '' })
    },
  )

  it('a device whose header is not configured gets 403 with the accepted names, whatever else it sends', async () => {
    const other = `Other-Project-Key: ${own.project.key}`
    const netrc = `Authorization: ${basic('somebody', 'of-netrc')}`
    for (const headers of [[other], [other, netrc]]) {
      const reply = await raw('POST /api/v0/chunks/OTHER', headers, 'abc')
      expect(reply.status).toBe(403)
      expect(JSON.parse(reply.body)).toMatchObject({
        code: 'project_key_invalid',
        detail: expect.stringContaining('service-project-key or vendor-project-key') as unknown,
      })
    }
    expect((await raw('POST /api/v0/chunks/OTHER', [], 'abc')).status).toBe(401)
  })

  describe('a modem that asks for its location at the address without a project', () => {
    let legacy: string
    const other = forSuite(() => newOrganization(stack))

    beforeAll(async () => {
      legacy = `eyJ.${randomUUID()}.legacy`
      await other.admin.client.call('importLegacyTokens', {
        organization: other.slug,
        sunset_at: '2099-06-30T00:00:00.000Z',
        tokens: [{ sha256: createHash('sha256').update(legacy).digest('hex') }],
      })
      const items = Array.from({ length: 3 }, (_, number) => ({
        timestamp: Date.now() - 60_000 - number * 10_000,
        position: { latitude: 50.1, longitude: 8.6, accuracy: 5 },
        cellTowers: [
          { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 7, cellId: 99 },
        ],
        wifiAccessPoints: [
          { macAddress: '02:dd:00:00:01:00', signalStrength: -50 },
          { macAddress: '02:dd:00:00:02:00', signalStrength: -55 },
        ],
      }))
      const address = { organization: other.slug, project: other.project.slug }
      await other.token.client.call('submitObservations', { ...address, items })
    })

    const ask = (body: string, query = '', path = 'ground-fix') =>
      raw(
        `POST /v1/location/${path}${query}`,
        [`Authorization: Bearer ${legacy}`, 'Content-Type: application/json', 'Accept: application/json'],
        body,
      )
    const WIFI =
      '{"wifi":{"accessPoints":[{"macAddress":"02:dd:00:00:01:00","signalStrength":-50},{"macAddress":"02:dd:00:00:02:00","signalStrength":-55}]}}'

    it('reads lat, lon and uncertainty; 95 % with hiConf; and nothing with doReply=0', async () => {
      const first = await eventually(async () => {
        const reply = await ask(WIFI)
        expect(reply.status).toBe(200)
        return reply
      })
      const read = ({ body }: RawReply) => JSON.parse(body) as { uncertainty: number; fulfilledWith: string }
      expect(read(first)).toMatchObject({ lat: expect.any(Number) as unknown, fulfilledWith: 'WIFI' })
      const high = read(await ask(WIFI, '?hiConf=1'))
      expect(high.uncertainty).toBeGreaterThan(read(first).uncertainty * 1.3)
      const inBody = read(await ask(WIFI.replace(/}$/, ',"config":{"hiConf":true}}')))
      expect(inBody.uncertainty).toBeCloseTo(high.uncertainty, 5)
      const headers = { authorization: `Bearer ${legacy}` }
      const silent = await send(gateway(), 'POST', '/v1/location/ground-fix?doReply=0', {
        headers,
        body: WIFI,
      })
      expect(silent).toMatchObject({ status: 204, text: '' })
    })

    it.each(['lte', 'ltecatm', 'nbiot'])('is found by its serving cell in "%s"', async (name) => {
      const cell = `{"${name}":[{"mcc":262,"mnc":1,"eci":99,"tac":7,"earfcn":1650,"rsrp":-95,"nmr":[]}]}`
      await eventually(async () => {
        expect(await ask(cell)).toMatchObject({ status: 200 })
      })
      expect((await ask(cell, '', 'cell')).status).toBe(200)
    })

    it('learns how to get coverage if the position is not known', async () => {
      const reply = await ask('{"lte":[{"mcc":999,"mnc":1,"eci":1,"tac":1}]}')
      expect(reply.status).toBe(404)
      expect(JSON.parse(reply.body)).toMatchObject({
        code: 'location_not_found',
        detail: expect.stringContaining('To get coverage, ') as unknown,
      })
    })

    it('is refused with 403 and never 401 on every device route if it signs its own tokens', async () => {
      const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
      const token = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ sub: 'nrf-1' })}.c2lnbmF0dXJl`
      const routes = Object.entries(ROUTES).filter(([, route]) => route.device)
      expect(routes.length).toBeGreaterThan(10)
      for (const [name, { method, path, dialect }] of routes) {
        const address = path.replaceAll(/:\w+/g, 'x').replaceAll('*', 'x')
        const reply = await send(gateway(), method, address, {
          headers: { authorization: `Bearer ${token}` },
        })
        // Clients of public geolocation services know 400 for a wrong key.
        const expected = dialect === 'geolocation' ? [400, undefined] : [403, 'device_token_invalid']
        expect([name, reply.status, reply.json?.code]).toEqual([name, ...expected])
      }
    })

    it('is rejected once its organization has a second project, because the address names none', async () => {
      const several = await newOrganization(stack)
      const token = `eyJ.${randomUUID()}.legacy`
      await newProject(several)
      await several.admin.client.call('importLegacyTokens', {
        organization: several.slug,
        sunset_at: '2099-06-30T00:00:00.000Z',
        tokens: [{ sha256: createHash('sha256').update(token).digest('hex') }],
      })
      const reply = await send(gateway(), 'POST', '/v1/location/wifi', {
        headers: { authorization: `Bearer ${token}` },
        body: WIFI,
      })
      expect(reply).toMatchObject({ status: 403, json: { code: 'project_key_required' } })
    })
  })
})
