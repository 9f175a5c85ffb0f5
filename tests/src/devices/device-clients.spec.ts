import { Buffer } from 'node:buffer'
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { eventually } from '@bearing/testing/eventually'
import { newMember, newOrganization } from '@bearing/testing/factories'
import { elfFile } from '@bearing/start/demo/elf-file'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { basic } from '../tools/http.js'
import { md5 } from '../tools/uploading.js'

/** A header that HTTP libraries add automatically from their user's own files. */
const NETRC = `Authorization: ${basic('somebody', 'of-netrc')}`

/** A reply as it stood on the wire. */
interface Wire {
  readonly status: number
  readonly head: string
  readonly text: string
  readonly data: unknown
}

/**
 * Existing clients, byte by byte and from their first request to their last: nothing here is made by a library. Oddities of
 * chunks alone are in chunks.spec.ts.
 */
describe('clients that exist', () => {
  const stack = namedStack('small-limits')
  const own = forSuite(() => newOrganization(stack))
  let project: string

  beforeAll(() => {
    project = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
  })

  /** Writes a request as it is, and reads until the other side has ended. */
  function ask(line: string, headers: readonly string[], body: string | Uint8Array = ''): Promise<Wire> {
    const { host, port } = new URL(stack.gatewayUrls[0] ?? '')
    const head = [`${line} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n')
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1')
      const received: Buffer[] = []
      socket.on('data', (data) => received.push(data))
      socket.once('error', reject)
      socket.once('close', () => {
        resolve(readWire(Buffer.concat(received)))
      })
      socket.write(Buffer.concat([Buffer.from(head), Buffer.from(body)]))
    })
  }

  const json = (body: object): [string[], string] => {
    const text = JSON.stringify(body)
    const length = `Content-Length: ${String(Buffer.byteLength(text))}`
    return [['Content-Type: application/json', length], text]
  }
  const EMPTY = ['Content-Length: 0']

  it('a vendor’s command line uploads symbols with a token as Basic, asks first, repeats itself and reads the list', async () => {
    const token = `Authorization: ${basic('', own.token.token)}`
    const buildId = randomBytes(20)
    const bytes = elfFile(buildId, randomBytes(5_000))
    const there = () => ask(`HEAD ${project}/symbols-by-gnu-build-id/${buildId.toString('hex')}`, [token])
    expect(await there()).toMatchObject({ status: 404, text: '' })
    const prepared = await ask(`POST ${project}/upload`, [token, ...EMPTY])
    expect(prepared.status).toBe(200)
    const { upload_url, token: ticket } = prepared.data as { upload_url: string; token: string }
    const { pathname, search } = new URL(upload_url)
    const packed = gzipSync(bytes)
    const length = `Content-Length: ${String(packed.length)}`
    const put = () => ask(`PUT ${pathname}${search}`, [NETRC, 'Content-Encoding: gzip', length], packed)
    expect((await put()).status).toBe(200)
    expect((await put()).status).toBe(200)
    const [headers, body] = json({ file: { token: ticket, md5: md5(bytes), name: 'app.elf' } })
    const commit = () => ask(`POST ${project}/symbols`, [token, ...headers], body)
    const first = await commit()
    expect(first).toMatchObject({ status: 201, data: { gnu_build_id: buildId.toString('hex') } })
    expect((await commit()).text).toBe(first.text)
    expect(await there()).toMatchObject({ status: 200, text: '' })
    const [otherHeaders, other] = json({ file: { token: ticket, name: 'another.elf' } })
    const conflict = await ask(`POST ${project}/symbols`, [token, ...otherHeaders], other)
    expect(conflict.status).toBe(409)
    for (const size of [5_000, 10_000])
      expect((await ask(`GET ${project}/files?per_page=${String(size)}`, [token])).text).toContain(
        `"per_page":${String(size)}`,
      )
    expect((await ask(`GET ${project}/files?per_page=10001`, [token])).status).toBe(400)
  })

  it('what is refused has error.message and error.type, without which tools crash, and the words that they look for', async () => {
    const token = `Authorization: ${basic('', own.token.token)}`
    const of = (reply: Wire) => JSON.parse(reply.text) as { error: { message: string; type: string } }
    const asked: [string, object, number][] = [
      [`${project}/upload`, { kind: 'coredump', size: 2 ** 40 }, 400],
      [`${project}/upload`, { size: 'large' }, 400],
      [`${project}/mar`, {}, 400],
      [`${project}/mar`, { file: { token: 'made-up' } }, 404],
    ]
    for (const [path, body, status] of asked) {
      const [headers, text] = json(body)
      const reply = await ask(`POST ${path}`, [token, ...headers], text)
      expect(reply.status).toBe(status)
      expect(of(reply).error).toMatchObject({ message: expect.any(String), type: expect.any(String) })
      if (body === asked[0]?.[1]) expect(of(reply).error.message).toContain('Uploaded file is too big')
    }
    const broken = await ask(`POST ${project}/mar`, [token, 'Content-Length: 1'], '{')
    expect(of(broken).error.type).toContain('malformed_json')
  })

  it('a person’s tool: who am I, the key of the project and the user’s own, shown, cycled and deleted', async () => {
    const member = await newMember(own, 'member', [{ project: own.project, role: 'manager' }], stack)
    const as = (secret: string) => [`Authorization: ${basic(member.email, secret)}`]
    expect((await ask('GET /auth/me', as(member.apiKey))).status).toBe(200)
    expect((await ask('GET /auth/me', as('wrong'))).status).toBe(401)
    expect((await ask(`GET ${project}`, as(member.apiKey))).data).toMatchObject({ slug: own.project.slug })
    const shown = await ask(`GET ${project}/api_key`, as(member.apiKey))
    expect(shown.data).toMatchObject({ api_key: own.project.key })
    const cycled = await ask('POST /auth/api_key', [...as(member.apiKey), ...EMPTY])
    const { api_key: key } = cycled.data as { api_key: string }
    expect((await ask('GET /auth/api_key', as(member.password))).status).toBe(200)
    expect((await ask('GET /auth/me', as(key))).status).toBe(200)
    expect((await ask('DELETE /auth/api_key', as(member.password))).status).toBe(200)
    const other = await newOrganization(stack)
    const theirs = `/api/v0/organizations/${other.slug}/projects/${other.project.slug}/api_key`
    const replaced = await ask(`POST ${theirs}`, [`Authorization: Bearer ${other.token.token}`, ...EMPTY])
    expect((replaced.data as { api_key: string }).api_key).toMatch(/^[0-9a-f]{32}$/)
    const old = [`Vendor-Project-Key:${other.project.key}`, 'Content-Length: 1']
    // Devices have the default grace period to receive the new key.
    expect((await ask('POST /api/v0/chunks/OLD', old, 'x')).status).toBe(202)
    await other.token.client.call('endKeyGraces', { organization: other.slug, project: other.project.slug })
    await eventually(async () => {
      expect((await ask('POST /api/v0/chunks/OLD', old, 'x')).status).toBe(403)
    })
  })

  it('a device and a phone with the vendor’s own header: chunks, a bug report, a coredump; a library’s Basic beside it', async () => {
    const key = `VENDOR-project-key:${own.project.key}`
    const serial = `RAW-${randomUUID()}`
    for (const path of [`//api/v0/chunks/${serial}?&`, `/api/v0/chunks/${serial}/`])
      expect((await ask(`POST ${path}`, [key, NETRC, 'Content-Length: 3'], 'abc')).status).toBe(202)
    const bytes = randomBytes(2_000)
    const prepared = await ask('POST //api/v0/upload', [key, NETRC, ...EMPTY])
    const { upload_url, token } = prepared.data as { upload_url: string; token: string }
    expect(upload_url).toMatch(/^http:\/\//)
    const length = `Content-Length: ${String(bytes.length)}`
    expect((await ask(`PUT ${new URL(upload_url).pathname}`, [NETRC, length], bytes)).status).toBe(200)
    const [headers, body] = json({ file: { token, md5: md5(bytes) }, device: { device_serial: serial } })
    const coded = [key, NETRC, ...headers, 'Content-Encoding: utf-8']
    const committed = await ask('POST /api/v0/upload/bugreport', coded, body)
    expect(committed).toMatchObject({ status: 202, data: { device_serial: serial, size: 2_000 } })
    expect((await ask('POST /api/v0/upload/bugreport', coded, body)).text).toBe(committed.text)
    const raw = [key, 'Content-Type: application/octet-stream', length]
    expect((await ask('POST /api/v0/upload/coredump', raw, bytes)).status).toBe(202)
    for (const wrong of [
      [],
      [`VENDOR-project-key: ${'0'.repeat(32)}`],
      [`Other-Project-Key: ${own.project.key}`],
    ])
      expect((await ask('POST /api/v0/upload', [...wrong, ...EMPTY])).status).toBe(
        wrong.length > 0 ? 403 : 401,
      )
  })

  it('text that no database keeps is 400 with its place, wherever it stands, and never 500: clients would ask again', async () => {
    const key = `Service-Project-Key: ${own.project.key}`
    const prepared = await ask('POST /api/v0/upload', [key, ...EMPTY])
    const { upload_url, token } = prepared.data as { upload_url: string; token: string }
    await ask(`PUT ${new URL(upload_url).pathname}`, ['Content-Length: 3'], 'abc')
    for (const [text, pointer] of [
      ['{"file":{"token":"TOKEN","name":"a\\u0000b"}}', '/file/name'],
      ['{"file":{"token":"TOKEN"},"device":{"a/b":["x","\\ud800"]}}', '/device/a~1b/1'],
      ['{"file":{"token":"TOKEN"},"more":{"\\u0000":1}}', '/more'],
    ] as const) {
      const body = text.replace('TOKEN', token)
      const headers = [key, 'Content-Type: application/json', `Content-Length: ${String(body.length)}`]
      const reply = await ask('POST /api/v0/upload/mar', headers, body)
      expect(reply.status).toBe(400)
      expect(JSON.parse(reply.text)).toMatchObject({ code: 'invalid_input', errors: [{ pointer }] })
    }
    const list = `GET ${project}/coredumps?device_serial=%00`
    expect((await ask(list, [`Authorization: Bearer ${own.token.token}`])).status).toBe(400)
  })

  it('a client that waits for "100 Continue" before a body receives it, or a rejection instead', async () => {
    const wait = ['Expect: 100-continue', 'Content-Length: 3']
    const key = `Vendor-Project-Key: ${own.project.key}`
    const taken = await ask('POST /api/v0/chunks/EXPECTS', [key, ...wait], 'abc')
    expect(taken.head).toMatch(/^HTTP\/1\.1 100 /)
    expect(taken.text).toContain('{"data":{"chunks":1}}')
    const refused = await ask('POST /api/v0/chunks/EXPECTS', wait, 'abc')
    expect(refused.text + refused.head).toContain('credential_missing')
  })
})

function readWire(received: Buffer): Wire {
  const end = received.indexOf('\r\n\r\n')
  const head = received.toString('latin1', 0, end)
  const text = received.toString('utf8', end + 4)
  const status = Number(head.split(' ')[1])
  const { data } = (text.startsWith('{') ? JSON.parse(text) : {}) as { data?: unknown }
  return { status, head, text, data }
}
