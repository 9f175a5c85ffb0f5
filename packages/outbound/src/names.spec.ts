import { createSocket, type Socket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { isIPv4, isIPv6, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { GuardedHttp, LOOPBACK_ADDRESSES } from './guarded-http.js'
import { Names } from './names.js'

const GET = { method: 'GET', headers: {} }
/** Time limit of a whole request, in milliseconds. */
const TIMEOUT_MS = 3_000
const A = 1
const AAAA = 28

/** Addresses by name; `silent`: queries for IPv6 addresses get no response. Nor do queries for other names. */
type Zone = Record<string, { addresses: string[]; silent?: boolean }>

describe('names that customers have chosen', () => {
  let nameServer: Socket
  let web: Server
  let zone: Zone
  let asked: string[]
  let directory: string
  let http: GuardedHttp

  beforeAll(async () => {
    nameServer = createSocket('udp4')
    nameServer.on('message', (question, { port, address }) => {
      const reply = answer(question)
      if (reply) nameServer.send(reply, port, address)
    })
    await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve))
    web = createServer((_, reply) => reply.end('hello'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    directory = await mkdtemp(join(tmpdir(), 'bearing-names-'))
    const hostsFile = join(directory, 'hosts')
    await writeFile(
      hostsFile,
      '# ours\n127.0.0.1\tBox.example box # here\n10.1.2.3 inside.example\nfe80::1%lo0 zone\n',
    )
    const servers = [`127.0.0.1:${String(nameServer.address().port)}`]
    http = new GuardedHttp(
      {
        privateRanges: LOOPBACK_ADDRESSES,
        plainRanges: LOOPBACK_ADDRESSES,
        timeoutMs: TIMEOUT_MS,
        maxBytes: 1_000,
      },
      undefined,
      new Names({ servers, hostsFile }),
    )
  })

  afterAll(async () => {
    nameServer.close()
    web.close()
    await rm(directory, { recursive: true })
  })

  beforeEach(() => {
    zone = {}
    asked = []
  })

  /** RFC 1035 §4: the question again, and the records. None at all of a name that the zone does not have. */
  function answer(question: Buffer): Buffer | undefined {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const name = labels.join('.').toLowerCase()
    const type = question.readUInt16BE(at + 1)
    asked.push(name)
    const entry = zone[name]
    if (!entry || (entry.silent && type === AAAA)) return undefined
    const records = entry.addresses.flatMap((address) => record(address, type))
    const head = Buffer.from(question.subarray(0, at + 5))
    head.writeUInt16BE(name.startsWith('no.') ? 0x8183 : 0x8180, 2)
    head.writeUInt16BE(records.length, 6)
    head.writeUInt32BE(0, 8)
    return Buffer.concat([head, ...records])
  }

  const ask = async (name: string) => {
    const { port } = web.address() as AddressInfo // it listens
    return http.send(new URL(`http://${name}:${String(port)}/`), GET).then(
      ({ status }) => String(status),
      (error: unknown) => (error as { reason: string }).reason,
    )
  }

  it('and never resolve make nobody wait for the others, and end in time', async () => {
    zone['quick.example'] = { addresses: ['127.0.0.1'] }
    const slow = Array.from({ length: 100 }, (_, number) => ask(`slow-${String(number)}.example`))
    for (let time = 0; time < 10; time++) expect(await ask('quick.example')).toBe('200')
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['timeout']))
  })

  it.each<[string, string[]]>([
    ['one', ['10.0.0.1']],
    ['the second', ['127.0.0.1', '192.168.0.1']],
    ['the first', ['169.254.169.254', '127.0.0.1']],
    ['one of IPv6', ['127.0.0.1', 'fd00::1']],
    ['one of IPv6 that holds one of IPv4', ['127.0.0.1', '::ffff:10.0.0.1']],
  ])('lead nowhere where %s of their addresses is not allowed', async (_, addresses) => {
    zone['mixed.example'] = { addresses }
    expect(await ask('mixed.example')).toBe('not_allowed')
  })

  it('are looked up each time, and every time the addresses are checked', async () => {
    zone['rebound.example'] = { addresses: ['127.0.0.1'] }
    expect(await ask('rebound.example')).toBe('200')
    zone['rebound.example'] = { addresses: ['10.0.0.1'] }
    expect(await ask('rebound.example')).toBe('not_allowed')
  })

  it('are reached though a name server keeps silent about one kind of address', async () => {
    zone['half.example'] = { addresses: ['127.0.0.1'], silent: true }
    expect(await ask('half.example')).toBe('200')
  })

  it('that are not there are unreachable', async () => {
    zone['no.example'] = { addresses: [] }
    zone['empty.example'] = { addresses: [] }
    for (const name of ['no.example', 'empty.example', `${'x'.repeat(64)}.example`])
      expect(await ask(name)).toBe('unreachable')
  })

  it('are those of the hosts file first, checked as all others, and localhost is this machine whatever anybody says', async () => {
    zone['localhost'] = zone['a.localhost'] = zone['box.example'] = { addresses: ['10.0.0.1'] }
    for (const name of ['box', 'BOX.example', 'box.example.', 'localhost', 'a.localhost'])
      expect(await ask(name)).toBe('200')
    expect(await ask('inside.example')).toBe('not_allowed')
    expect(asked).toEqual([])
  })

  it('are asked for as they are', async () => {
    zone['short'] = { addresses: ['127.0.0.1'] }
    expect(await ask('short')).toBe('200')
    expect(new Set(asked)).toEqual(new Set(['short']))
  })
})

/** A record of an address, where it is of the type that was asked for. */
function record(address: string, type: number): Buffer[] {
  if (!(type === A && isIPv4(address)) && !(type === AAAA && isIPv6(address))) return []
  const data = isIPv4(address) ? Buffer.from(address.split('.').map(Number)) : bytesOf(address)
  const head = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length])
  return [Buffer.concat([head, data])]
}

/** The 16 bytes of an address of IPv6. */
function bytesOf(address: string): Buffer {
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [head, tail] = [groups(left), groups(right)]
  const all = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]))
}
