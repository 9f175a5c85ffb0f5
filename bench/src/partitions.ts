import { randomUUID } from 'node:crypto'
import { readFile, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_STREAMS, chunkStream } from '@bearing/contracts/streams'
import { passwordUser, startNats, type Nats } from '@bearing/local/nats-server'
import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { keepEventStreams } from '@bearing/nats/event-streams'
import { MessageStore } from '@bearing/nats/message-store'
import { jetstreamManager } from '@nats-io/jetstream'
import { percentiles } from './figures.js'

/** Addresses of this machine, since servers of a cluster listen for each other on one port. */
const HOSTS = ['127.0.20.1', '127.0.20.2', '127.0.20.3']
const CACHE = join(import.meta.dirname, '..', '..', '.bearing', 'nats-server')
const PROJECTS = 256
const CHUNK_BYTES = 500
/** Messages that each of three connections waits for at a time. */
const CONCURRENT = 64
const WARM_UP_MS = 2_000
const MEASURED_MS = 8_000

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * `pnpm bench:partitions`: chunks that three NATS servers accept (three replicas) with 1, 2, 4 and 8 partitions, and what each server
 * takes for it. All of them share this machine, so the sum is what it has; the busiest server is the ceiling of a real cluster.
 */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
for (const partitions of [1, 2, 4, 8]) await measure(partitions)

async function measure(partitions: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bearing-partitions-'))
  const servers = await Promise.all(HOSTS.map((host, number) => startServer(directory, host, number)))
  const connections = await Promise.all(
    servers.map(({ url }) => connectNats({ url: url.replace('//', '//bench:test@'), name: 'bench' })),
  )
  try {
    const [connection] = connections
    if (!connection) return
    await keepEventStreams(connection, () => undefined, { replicas: 3, chunkPartitions: partitions })
    const leaders = await leadersOf(connection, partitions)
    for (const each of connections) await untilStored(each, partitions)
    const send = sender(connections, partitions)
    await send(WARM_UP_MS)
    const before = await Promise.all(servers.map(processorSeconds))
    const latencies = await send(MEASURED_MS)
    const after = await Promise.all(servers.map(processorSeconds))
    const { p50Ms, p99Ms } = percentiles(latencies)
    const micros = after.map((seconds, number) =>
      Math.round(((seconds - (before[number] ?? 0)) * 1e6) / latencies.length),
    )
    say(
      `${String(partitions)} partitions: ${String(Math.round((latencies.length * 1_000) / MEASURED_MS))} chunks/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms; processor time for a chunk ${micros.join(', ')} µs; leaders ${leaders.join(' ')}`,
    )
  } finally {
    await Promise.all(connections.map((connection) => connection.drain()))
    await Promise.all(servers.map((server) => server.stop()))
    await rm(directory, { recursive: true, force: true })
  }
}

function startServer(directory: string, host: string, number: number): Promise<Nats> {
  return startNats({
    ...{ directory: join(directory, String(number)), cache: CACHE, host },
    users: [passwordUser('bench', 'test')],
    cluster: { serverName: `n${String(number + 1)}`, hosts: HOSTS },
  })
}

/** Waits until the streams are there: the cluster elects its leader first. */
async function leadersOf(connection: Connection, partitions: number): Promise<string[]> {
  const manager = await jetstreamManager(connection.raw, { checkAPI: false })
  for (;;) {
    const streams = await chunkStreams(connection).catch(() => [])
    if (streams.length === partitions) {
      const infos = await Promise.all(streams.map(({ name }) => manager.streams.info(name)))
      return infos.map(({ cluster }) => cluster?.leader ?? '?')
    }
    await sleep(200)
  }
}

/** Waits until a connection reaches every partition: servers announce streams to each other. */
async function untilStored(connection: Connection, partitions: number): Promise<void> {
  const store = new MessageStore(connection)
  for (const { subject } of CHUNK_STREAMS.slice(0, partitions))
    for (let isStored = false; !isStored;) {
      const message = { subject: `${subject}.bench`, id: randomUUID(), body: new Uint8Array(1), headers: {} }
      isStored = await store.store(message).then(
        () => true,
        () => sleep(200, false),
      )
    }
}

/** Returns what sends chunks of many projects for so long, as gateways do, and returns the milliseconds that each took. */
function sender(
  connections: readonly Connection[],
  partitions: number,
): (forMs: number) => Promise<number[]> {
  const stores = connections.map((connection) => new MessageStore(connection))
  const projects = Array.from({ length: PROJECTS }, () => randomUUID())
  const body = new Uint8Array(CHUNK_BYTES)
  return async (forMs) => {
    const until = performance.now() + forMs
    const latencies: number[] = []
    const one = async (store: MessageStore, number: number) => {
      for (let sent = number; performance.now() < until; sent++) {
        const project = projects[sent % PROJECTS] ?? ''
        const subject = `${chunkStream(project, partitions).subject}.bench.${project}.device`
        const began = performance.now()
        await store.store({ subject, id: randomUUID(), body, headers: {} })
        latencies.push(performance.now() - began)
      }
    }
    await Promise.all(
      stores.flatMap((store) => Array.from({ length: CONCURRENT }, (_, number) => one(store, number))),
    )
    return latencies
  }
}

/** Processor time of a server since it was started, in seconds. */
async function processorSeconds({ pid }: Nats): Promise<number> {
  const fields = (await readFile(`/proc/${String(pid)}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
