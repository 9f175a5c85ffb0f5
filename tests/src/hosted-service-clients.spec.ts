import { randomBytes, randomUUID } from 'node:crypto'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { send, type Reply } from './http.js'
import { sendRaw, type RawReply } from './raw-http.js'
import { prepare, put, type UploadTarget } from './uploading.js'

/** What clients of a hosted service send, as written down from their sources. */
describe('clients of the hosted service', () => {
  let stack: Stack
  let own: TestOrganization
  let project: string
  const gateway = () => stack.gatewayUrls[0] ?? ''

  beforeAll(async () => {
    stack = await startStack({
      gateways: 1,
      environment: { gateway: { PROJECT_KEY_HEADERS: 'Service-Project-Key,Vendor-Project-Key' } },
    })
    own = await newOrganization(stack)
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  })

  afterAll(() => stack.stop())

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
})
