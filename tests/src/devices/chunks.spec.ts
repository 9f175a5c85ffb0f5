import { eventually } from '@bearing/testing/eventually'
import { newOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestDevice, newSerial } from '../tools/device-data.js'
import { send } from '../tools/http.js'
import { sendRaw, type RawReply } from '../tools/raw-http.js'

/** Bytes that no text has, and everything that parsers trip over. */
const BINARY =
  Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('') + '\r\n\r\n--x\r\n\0'

describe('chunks', () => {
  const own = forSuite(() => newOrganization())
  const gateway = () => testStack().gatewayUrls[0] ?? ''
  const device = () => new TestDevice(gateway(), own, own.project)
  const mixed = (boundary: string) => [`Content-Type: multipart/mixed; boundary=${boundary}`]

  /** Asserts that a reply is as short and simple as small clients need it. */
  function expectShort(reply: RawReply, status: number): void {
    expect(reply.status).toBe(status)
    expect(reply.statusLine).toMatch(/^HTTP\/1\.1 /)
    expect(reply.statusLine.length).toBeLessThan(128)
    expect(reply.headers.has('transfer-encoding')).toBe(false)
    expect(reply.headers.has('location')).toBe(false)
    expect(Number(reply.headers.get('content-length'))).toBe(Buffer.byteLength(reply.body))
    expect(reply.headers.size).toBeLessThan(14)
    expect(reply.body.length).toBeLessThan(1_000)
  }

  it('one raw chunk, any bytes, is stored as it came', async () => {
    const one = device()
    const reply = await one.send(BINARY)
    expectShort(reply, 202)
    expect(JSON.parse(reply.body)).toEqual({ data: { chunks: 1 } })
    expect(await one.stored(1)).toEqual([BINARY])
  })

  it('addresses as clients write them: a double slash at the front, and a query that begins with "?&"', async () => {
    const one = device()
    const type = ['Content-Type: application/octet-stream']
    for (const [number, path] of [
      `//api/v0/chunks/${one.serial}`,
      `/api/v0//chunks/${one.serial}`,
      `/api/v0/chunks/${one.serial}?&hardware_version=evt-2.1%2Bb:1`,
      `/api/v0/chunks/${one.serial}?&unknown=1&&`,
    ].entries())
      expectShort(await one.send(`chunk ${String(number)}`, type, path), 202)
    expect(await one.stored(4)).toEqual(['chunk 0', 'chunk 1', 'chunk 2', 'chunk 3'])
    const shown = await own.token.client.call('showDevice', one.address)
    expect(shown).toMatchObject({ hardware_version: 'evt-2.1+b:1', software_type: null })
  })

  it.each([
    ['base64', ['Content-Encoding: base64'], Buffer.from(BINARY, 'latin1').toString('base64')],
    ['base64 with line ends and without padding', ['Content-Encoding: base64'], 'YWJj\r\nZGU\r\n'],
    ['base64 in upper case', ['Content-Encoding: BASE64'], 'YWJjZGU='],
    ['a character set where a coding should be', ['Content-Encoding: utf-8'], 'abcde'],
    ['identity', ['Content-Encoding: identity'], 'abcde'],
    ['no type at all', [], 'abcde'],
    ['a type with parameters, in any case', ['CONTENT-TYPE:Application/Octet-Stream; charset=x'], 'abcde'],
    ['an Authorization that a library adds from its own files', ['Authorization: Basic dTpw'], 'abcde'],
  ])('one chunk: %s', async (_, headers, body) => {
    const one = device()
    expectShort(await one.send(body, headers), 202)
    const expected = headers.join().includes('base64') && body.length > 20 ? BINARY : 'abcde'
    expect(await one.stored(1)).toEqual([expected])
  })

  it.each([
    [
      'with Content-Disposition: form-data',
      mixed('b'),
      '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\none\r\n--b\r\nContent-Disposition: form-data; name="x"\r\n\r\ntwo\r\n--b--\r\n',
    ],
    ['without any headers', mixed('b'), '--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--'],
    [
      'whose headers ran into each other',
      mixed('b'),
      '--b\r\nContent-Length: 3Content-Type: application/octet-stream\r\n\r\none\r\n--b\r\nContent-Length: 3Content-Type: application/octet-stream\r\n\r\ntwo\r\n--b--\r\n',
    ],
    [
      'whose boundary is quoted',
      mixed('"a b:c"'),
      '--a b:c\r\n\r\none\r\n--a b:c\r\n\r\ntwo\r\n--a b:c--\r\n',
    ],
    ['with line feeds alone', mixed('b'), '--b\n\none\n--b\n\ntwo\n--b--\n'],
    [
      'with words before and after',
      mixed('b'),
      'hello\r\n--b \t\r\nContent-Type: application/octet-stream\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--\r\nbye',
    ],
    [
      'with empty parts in between',
      mixed('b'),
      '--b\r\n\r\n\r\n--b\r\n\r\none\r\n--b\r\n\r\n\r\n--b\r\n\r\ntwo\r\n--b--\r\n',
    ],
    [
      'in base64',
      [...mixed('b'), 'Content-Encoding: base64'],
      Buffer.from('--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--').toString('base64'),
    ],
  ])('several chunks: multipart/mixed %s', async (_, headers, body) => {
    const one = device()
    const reply = await one.send(body, headers)
    expectShort(reply, 202)
    expect(JSON.parse(reply.body)).toEqual({ data: { chunks: 2 } })
    expect(await one.stored(2)).toEqual(['one', 'two'])
  })

  it('nothing at all, with Content-Length: 0 and no type: the device was seen', async () => {
    const one = device()
    expectShort(await one.send('', []), 202)
    const shown = await eventually(() => own.token.client.call('showDevice', one.address), {
      withinMs: 20_000,
    })
    expect(shown).toMatchObject({ chunk_count: 0, chunk_bytes: 0, last_seen_at: expect.any(String) })
    await one.send('x')
    expect(await one.stored(1)).toEqual(['x'])
  })

  it('the order within a device is kept, within a request and from one to the next', async () => {
    const one = device()
    const expected: string[] = []
    for (let request = 0; request < 20; request++) {
      const parts = Array.from({ length: 3 }, (_, part) => `${String(request)}.${String(part)}`)
      expected.push(...parts)
      const body = `${parts.map((part) => `--b\r\n\r\n${part}\r\n`).join('')}--b--`
      expect((await one.send(body, mixed('b'))).status).toBe(202)
    }
    expect(await one.stored(60)).toEqual(expected)
  })

  it('a request that is repeated under its Idempotency-Key is stored once; another one under the same key too', async () => {
    const one = device()
    const key = ['Idempotency-Key: upload-1']
    for (const body of ['same', 'same', 'other', 'same']) expect((await one.send(body, key)).status).toBe(202)
    await one.send('last')
    expect(await one.stored(3)).toEqual(['same', 'other', 'last'])
  })

  it('what a device has sent is counted, with what it says of itself', async () => {
    const one = device()
    const path = `/api/v0/chunks/${one.serial}?hardware_version=evt&software_type=main&software_version=1.0.0%2B7`
    await one.send('abc', [], path)
    // An empty value counts as left out.
    await one.send(
      'defgh',
      [],
      `/api/v0/chunks/${one.serial}?hardware_version=&software_type=&software_version=`,
    )
    await one.stored(2)
    const shown = await own.token.client.call('showDevice', one.address)
    expect(shown).toMatchObject({
      device_serial: one.serial,
      hardware_version: 'evt',
      software_type: 'main',
      software_version: '1.0.0+7',
      chunk_count: 2,
      chunk_bytes: 8,
      registered_at: null,
    })
    expect(Date.parse(shown.first_seen_at ?? '')).toBeLessThanOrEqual(Date.parse(shown.last_seen_at ?? ''))
  })

  it.each([
    [
      'a serial number with other characters',
      400,
      'invalid_input',
      '/api/v0/chunks/a%20b',
      ['Content-Type: application/octet-stream'],
    ],
    [
      'a serial number that is too long',
      400,
      'invalid_input',
      `/api/v0/chunks/${'a'.repeat(129)}`,
      ['Content-Type: application/octet-stream'],
    ],
    [
      'a hardware version with other characters',
      400,
      'invalid_input',
      '/api/v0/chunks/A?hardware_version=a/b',
      [],
    ],
    [
      'multipart without a boundary',
      400,
      'malformed_chunks',
      '/api/v0/chunks/A',
      ['Content-Type: multipart/mixed'],
    ],
    [
      'multipart with another boundary',
      400,
      'malformed_chunks',
      '/api/v0/chunks/A',
      ['Content-Type: multipart/mixed; boundary=other'],
    ],
    ['what is not base64', 400, 'malformed_chunks', '/api/v0/chunks/A', ['Content-Encoding: base64']],
    ['JSON', 415, 'unsupported_media_type', '/api/v0/chunks/A', ['Content-Type: application/json']],
    [
      'a form',
      415,
      'unsupported_media_type',
      '/api/v0/chunks/A',
      ['Content-Type: multipart/form-data; boundary=b'],
    ],
    ['gzip', 415, 'unsupported_media_type', '/api/v0/chunks/A', ['Content-Encoding: gzip']],
  ])('%s is refused: %d %s', async (_, status, code, path, headers) => {
    const reply = await device().send('--b, which is not base64', headers, path)
    expectShort(reply, status)
    expect(JSON.parse(reply.body)).toMatchObject({ code, error: { code, http_code: status } })
  })

  it('without a length: 411', async () => {
    const head = `POST /api/v0/chunks/A HTTP/1.1\r\nHost: x\r\nService-Project-Key:${own.project.key}\r\n\r\n`
    expectShort(await sendRaw(gateway(), head), 411)
  })

  it('in pieces (Transfer-Encoding: chunked): taken, as long as it is not too much', async () => {
    const one = device()
    const head = `POST /api/v0/chunks/${one.serial} HTTP/1.1\r\nHost: x\r\nService-Project-Key:${own.project.key}\r\nTransfer-Encoding: chunked\r\n\r\n`
    expectShort(await sendRaw(gateway(), `${head}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`), 202)
    expect(await one.stored(1)).toEqual(['abcde'])
  })

  it('a body that is too large: 413, before it was sent', async () => {
    const head = `POST /api/v0/chunks/A HTTP/1.1\r\nHost: x\r\nService-Project-Key:${own.project.key}\r\nContent-Length: ${String(5 * 1024 * 1024)}\r\n\r\n`
    expectShort(await sendRaw(gateway(), head), 413)
  })

  it('a large chunk is stored as it came', async () => {
    const one = device()
    const large = BINARY.repeat(1_000)
    expectShort(await one.send(large), 202)
    expect((await one.stored(1))[0] === large).toBe(true)
  })

  it('a body that ends before its length is no chunk', async () => {
    const one = device()
    const head = `POST /api/v0/chunks/${one.serial} HTTP/1.1\r\nHost: x\r\nService-Project-Key:${own.project.key}\r\nContent-Length: 100\r\n\r\nonly this`
    const ended = await sendRaw(gateway(), head, { end: true }).then(
      ({ status }) => status,
      () => 'ended',
    )
    expect([400, 'ended']).toContain(ended)
    await one.send('whole')
    expect(await one.stored(1)).toEqual(['whole'])
  })

  it.each([
    ['no project key', 401, 'credential_missing', ''],
    ['a key that there is not', 403, 'project_key_invalid', `Service-Project-Key: ${'0'.repeat(32)}\r\n`],
    ['a key of another form', 403, 'project_key_invalid', 'Service-Project-Key: x\r\n'],
  ])('%s: %d', async (_, status, code, header) => {
    const head = `POST /api/v0/chunks/A HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 1\r\n\r\nx`
    const reply = await sendRaw(gateway(), head)
    expectShort(reply, status)
    expect(JSON.parse(reply.body)).toMatchObject({ error: { code } })
  })

  it('an organization token is rejected: devices send the project key', async () => {
    const path = `/api/v0/chunks/${newSerial()}`
    const reply = await send(gateway(), 'POST', path, { credential: own.token.credential })
    expect(reply.json).toMatchObject({ status: 403, code: 'project_key_required' })
  })
})
