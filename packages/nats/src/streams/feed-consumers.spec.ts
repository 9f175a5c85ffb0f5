import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deviceDataSubject } from '@bearing/contracts/management/data/device-data'
import { DEVICE_DATA_STREAM } from '@bearing/contracts/nats/streams'
import { findOnPath } from '@bearing/local/debian-package'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connectNats, type Connection } from '../connection.js'
import { newNkey } from '../permissions/nkey.js'
import { userConfiguration } from '../permissions/permissions.js'
import { keepEventStreams } from './event-streams.js'
import {
  deleteFeedConsumer,
  feedReaderPermissions,
  listFeedConsumers,
  makeFeedConsumer,
} from './feed-consumers.js'
import { MessageStore } from './message-store.js'

const CACHE = join(import.meta.dirname, '..', '..', '..', '..', '.bearing', 'nats-server')
const EXAMPLES = join(import.meta.dirname, ...['..', '..', '..', '..', 'examples', 'stream-consumer'])
const MIB = 1024 * 1024
const STORE_BYTES = 50 * MIB
const [OURS, THEIRS] = ['0199c0de-7c1f-7d5e-9f0a-000000000001', '0199c0de-7c1f-7d5e-9f0a-000000000002']

// Bearing needs neither a compiler nor the library, so a machine without them skips this and says so.
const compiler = await findOnPath('cc')
const check = { input: '#include <nats/nats.h>\n' }
const hasLibrary =
  compiler !== undefined && spawnSync(compiler, ['-fsyntax-only', '-x', 'c', '-'], check).status === 0
const go = await findOnPath('go')
/** Folder in which Debian installs libraries for Go. */
const GOPATH = process.env['GOPATH'] ?? '/usr/share/gocode'
const hasGo = go !== undefined && existsSync(join(GOPATH, 'src', 'github.com', 'nats-io', 'nats.go'))
const itWithGo = (name: string, test: () => Promise<void>) =>
  hasGo
    ? it(name, test)
    : it.skip(`${name} (skipped: no golang-go with golang-github-nats-io-go-nats-dev)`, test)
const itWithC = (name: string, test: () => Promise<void>) =>
  hasLibrary ? it(name, test) : it.skip(`${name} (skipped: no C compiler with libnats-dev)`, test)

describe('a consumer of the stream of device data', () => {
  let directory: string
  let nats: Nats
  let connection: Connection
  let reader: Connection
  let messages = 0
  const nkey = newNkey()

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'bearing-feed-'))
    nats = await startNats({
      directory,
      cache: CACHE,
      users: [
        passwordUser('anybody', 'test'),
        userConfiguration(nkey.publicKey, feedReaderPermissions(DEVICE_DATA_STREAM, 'billing')),
      ],
    })
    connection = await connectNats({ url: nats.url.replace('//', '//anybody:test@'), name: 'anybody' })
    await keepEventStreams(connection, () => undefined, { storeBytes: STORE_BYTES })
    for (const [name, organization_id] of [
      ['billing', OURS],
      ['others', THEIRS],
    ] as const)
      await makeFeedConsumer(connection, DEVICE_DATA_STREAM, {
        name,
        subjects: [deviceDataSubject({ organization_id })],
        start: undefined,
      })
    reader = await connectNats({ url: nats.url, nkeySeed: nkey.seed, name: 'billing' })
  })

  afterAll(async () => {
    await reader.drain()
    await connection.drain()
    await nats.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const store = (organization_id: string, body: Uint8Array = Buffer.from(organization_id)) =>
    new MessageStore(connection).store({
      subject: deviceDataSubject({ organization_id, project_id: 'p', device_serial: 'd', kind: 'chunk' }),
      id: `message-${String(++messages)}`,
      body,
      headers: {},
    })
  const next = async (name: string, as = reader) => {
    const consumer = await jetstream(as.raw, { checkAPI: false }).consumers.get(DEVICE_DATA_STREAM.name, name)
    const message = await consumer.next({ expires: 2_000 })
    message?.ack()
    return message?.string()
  }
  const stateOf = async (name: string) =>
    (await listFeedConsumers(connection, DEVICE_DATA_STREAM)).find((consumer) => consumer.name === name)

  it('gives its user the data of its organization, and no other consumer and no stream', async () => {
    await store(THEIRS)
    await store(OURS)
    expect(await next('billing')).toBe(OURS)
    await expect(next('others')).rejects.toThrow()
    await expect(
      jetstreamManager(reader.raw, { checkAPI: false, timeout: 1_000 }).then(({ streams }) =>
        streams.getMessage(DEVICE_DATA_STREAM.name, { seq: 1 }),
      ),
    ).rejects.toThrow()
    expect(await next('others', connection)).toBe(THEIRS)
  })

  it('is read by the example in Node, as that user', async () => {
    const example = spawn(process.execPath, [join(EXAMPLES, 'main.mjs')], {
      env: { NATS_URL: nats.url, NATS_NKEY_SEED: `${nkey.seed}\n`, STREAM_CONSUMER: 'billing' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await store(OURS, Buffer.from('{"id":"1","kind":"chunk"}'))
    const [printed] = (await once(example.stdout, 'data')) as [Buffer]
    expect(JSON.parse(printed.toString())).toEqual({ number: messages, id: '1', kind: 'chunk' })
    example.kill('SIGTERM')
    await once(example, 'exit')
  })

  itWithC('is read by the example in C, as that user', async () => {
    const program = join(directory, 'consumer')
    const flags = ['-std=c99', '-D_POSIX_C_SOURCE=200809L', '-Wall', '-Wextra', '-Werror']
    execFileSync(compiler ?? '', [...flags, '-o', program, join(EXAMPLES, 'main.c'), '-lnats'])
    const environment = { NATS_NKEY: nkey.publicKey, NATS_NKEY_SEED: `${nkey.seed}\n` }
    const example = spawn(program, {
      env: { ...process.env, NATS_URL: nats.url, STREAM_CONSUMER: 'billing', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await store(OURS, Buffer.from('{"id":"2","kind":"chunk"}'))
    const [printed] = (await once(example.stdout, 'data')) as [Buffer]
    expect(printed.toString()).toBe(`${String(messages)} {"id":"2","kind":"chunk"}\n`)
    // It acknowledges after it has printed.
    while ((await stateOf('billing'))?.waiting !== 0) await sleep(50)
    example.kill('SIGTERM')
    await once(example, 'exit')
  })

  itWithGo('is read by the example in Go, as that user', async () => {
    const program = join(directory, 'consumer-go')
    const seed = join(directory, 'billing.nk')
    await writeFile(seed, nkey.seed, { mode: 0o600 })
    const environment = { ...process.env, GO111MODULE: 'off', GOPATH, GOCACHE: join(directory, 'cache') }
    for (const args of [['build', '-o', program], ['vet']])
      await promisify(execFile)(go ?? '', [...args, join(EXAMPLES, 'main.go')], { env: environment })
    const example = spawn(program, {
      env: { NATS_URL: nats.url, NATS_NKEY_FILE: seed, STREAM_CONSUMER: 'billing' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await store(OURS, Buffer.from('{"id":"3","kind":"chunk"}'))
    const [printed] = (await once(example.stdout, 'data')) as [Buffer]
    expect(printed.toString()).toBe(`${String(messages)} {"id":"3","kind":"chunk"}\n`)
    // It acknowledges after it has printed.
    while ((await stateOf('billing'))?.waiting !== 0) await sleep(50)
    example.kill('SIGKILL')
    await once(example, 'exit')
  })

  it('that stops refuses nothing that devices send, and says by number what it has lost', async () => {
    const firstLost = messages + 1
    const limit = (STORE_BYTES * 5) / 100
    const size = 64 * 1024
    const count = Math.ceil(limit / size) + 20
    for (let number = 0; number < count; number++) await store(OURS, new Uint8Array(size))
    const manager = await jetstreamManager(connection.raw)
    const { state } = await manager.streams.info(DEVICE_DATA_STREAM.name)
    expect(state.bytes).toBeLessThanOrEqual(limit)
    expect(state.last_seq).toBe(messages)
    const { lost, waiting } = (await stateOf('billing')) ?? {}
    expect(lost).toEqual([firstLost, state.first_seq - 1])
    expect(waiting).toBe(state.messages)
    // It read everything of its organization: what went since was not its.
    expect(await stateOf('others')).toMatchObject({ waiting: 0, lost: null })
  })

  it('begins at a number or a time, and is deleted once', async () => {
    const { first_seq: first } = (
      await (await jetstreamManager(connection.raw)).streams.info(DEVICE_DATA_STREAM.name)
    ).state
    const subjects = [deviceDataSubject({})]
    const make = (name: string, start: Parameters<typeof makeFeedConsumer>[2]['start']) =>
      makeFeedConsumer(connection, DEVICE_DATA_STREAM, { name, subjects, start })
    await make('by-number', { number: messages - 4 })
    await make('by-time', { since: new Date(0) })
    expect(await stateOf('by-number')).toMatchObject({ waiting: 5, lost: null })
    expect(await stateOf('by-time')).toMatchObject({ waiting: messages - first + 1 })
    await expect(make('by-time', { number: 1 })).rejects.toThrow()
    expect(await deleteFeedConsumer(connection, DEVICE_DATA_STREAM, 'by-time')).toBe(true)
    expect(await deleteFeedConsumer(connection, DEVICE_DATA_STREAM, 'by-time')).toBe(false)
  })
})
