import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_STREAMS } from '@bearing/contracts/nats/streams'
import { chunkStreams } from '@bearing/nats/chunk-partitions'
import { BUNDLE } from '@bearing/nats/bundle'
import { connectNats } from '@bearing/nats/connection'
import { StoredStream } from '@bearing/nats/stored-stream'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, newProject } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { Client } from 'pg'
import { ChangefeedReader, chunksInStream } from './data-readers.js'

/** Parts that are killed. */
const PARTS = ['gateway-1', 'management', 'nats', 'postgres'] as const
/** So many devices have one project: their chunks can be stored as one message. */
const DEVICES_OF_PROJECT = 3
/** Time after which a device sends an unacknowledged chunk again, in milliseconds. */
const AGAIN_MS = 50
/** Time limit for everything to be stored after the last kill, and for messages that came back to be gone again, in milliseconds. */
const SETTLED_MS = 300_000

/** Options of the campaign. */
export interface SoakOptions {
  readonly devices: number
  /** Returns whether to continue, after so many kills and milliseconds. */
  readonly shouldContinue: (kills: number, elapsedMs: number) => boolean
  /** Gives a number from 0 up to 1: which part is killed next, and when. */
  readonly random: () => number
  /** After each kill: how many partitions the queue of chunks gets, if that is more than it has. */
  readonly partitions: readonly number[]
  readonly report: (line: string) => void
}

/** The outcome of the campaign. */
export interface SoakOutcome {
  readonly kills: number
  readonly acknowledged: number
  /** Requests that were not acknowledged, and sent again. */
  readonly repeated: number
  readonly stored: number
  /** Faults that were found, in words. */
  readonly faults: readonly string[]
}

/** A device that numbers its chunks, and sends each until it is acknowledged. */
class SoakDevice {
  acknowledged = 0
  repeated = 0

  constructor(
    readonly serial: string,
    private readonly url: string,
    private readonly key: string,
  ) {}

  async run(shouldContinue: () => boolean): Promise<void> {
    while (shouldContinue()) {
      const number = this.acknowledged + 1
      while (!(await this.send(number))) {
        this.repeated++
        await sleep(AGAIN_MS)
      }
      this.acknowledged = number
    }
  }

  private async send(number: number): Promise<boolean> {
    try {
      const response = await fetch(`${this.url}/api/v0/chunks/${this.serial}`, {
        method: 'POST',
        headers: {
          'service-project-key': this.key,
          'content-type': 'application/octet-stream',
          'idempotency-key': String(number),
        },
        body: String(number),
        signal: AbortSignal.timeout(10_000),
      })
      await response.arrayBuffer()
      if (response.status !== 202 && response.status < 500)
        throw new Error(`a chunk was answered ${String(response.status)}`)
      return response.status === 202
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('a chunk was answered')) throw error
      return false
    }
  }
}

/**
 * Sends numbered chunks from several devices while gateway, management, NATS and Postgres are killed (-9) and started again, and
 * compares what was acknowledged with what is stored, was read meanwhile, and is in the stream of device data: every number once.
 */
export async function soak({
  devices: many,
  shouldContinue,
  random,
  partitions,
  report,
}: SoakOptions): Promise<SoakOutcome> {
  const quiet = { LOG_LEVEL: 'error' }
  await using stack = await startStack({
    postgres: 'own',
    gateways: 1,
    services: ['identity', 'management'],
    environment: { gateway: quiet },
    constants: { gateway: { REQUESTS_PER_CREDENTIAL: 0 } },
  })
  const { devices, readers } = await newFleet(stack, many)
  await using bundles = await countBundles(stack)
  let sending = true
  const sent = Promise.all(devices.map((device) => device.run(() => sending)))
  let reading = true
  const read = Promise.all(readers.map((reader) => reader.run(() => reading)))
  // If it fails early, the error is thrown below.
  sent.catch(() => undefined)
  const kills = await killAtRandom(stack, { shouldContinue, random, partitions, report })
  sending = false
  await sent
  const acknowledged = sum(devices.map((device) => device.acknowledged))
  report(
    `${String(acknowledged)} chunks acknowledged after ${String(kills)} kills, some of them in ${String(bundles.count())} bundles`,
  )
  const unsettled = await settle(stack, acknowledged).catch(String)
  const stored = await readStored(stack)
  reading = false
  await read
  const changefeed = new Map(readers.flatMap((reader) => [...reader.read]))
  const stream = await chunksInStream(stack.natsUrl)
  return {
    kills,
    acknowledged,
    repeated: sum(devices.map((device) => device.repeated)),
    stored: sum([...stored.values()].map(({ length }) => length)),
    faults: [
      ...(unsettled === undefined ? [] : [unsettled]),
      ...devices.flatMap((device) => [
        ...faultsOf('stored', device, stored.get(device.serial) ?? []),
        ...faultsOf('in the changefeed', device, inOrder(changefeed.get(device.serial))),
        ...faultsOf('in the stream', device, inOrder(stream.get(device.serial))),
      ]),
    ],
  }
}

/** Makes devices of several projects, and a reader of each project. */
async function newFleet(stack: Stack, many: number) {
  const organization = await newOrganization(stack)
  const devices: SoakDevice[] = []
  const readers: ChangefeedReader[] = []
  let key = ''
  for (let number = 0; number < many; number++) {
    // A partition has all devices of a project.
    if (number % DEVICES_OF_PROJECT === 0) {
      const project = await newProject(organization)
      const scope = { organization: organization.slug, project: project.slug }
      readers.push(new ChangefeedReader(organization.token.client, scope))
      ;({ key } = project)
    }
    devices.push(new SoakDevice(`SOAK-${String(number)}`, stack.gatewayUrls[0] ?? '', key))
  }
  return { devices, readers }
}

/** Counts the messages with several chunks that NATS receives while it is up. */
async function countBundles(stack: Stack): Promise<AsyncDisposable & { readonly count: () => number }> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'bundles' })
  let count = 0
  for (const { subject } of CHUNK_STREAMS)
    connection.raw.subscribe(`${subject}.*.*.${BUNDLE}`, {
      callback: () => {
        count++
      },
    })
  return { count: () => count, [Symbol.asyncDispose]: () => connection.drain() }
}

async function killAtRandom(
  stack: Stack,
  { shouldContinue, random, partitions, report }: Omit<SoakOptions, 'devices'>,
): Promise<number> {
  const began = performance.now()
  let kills = 0
  let current = 1
  let round: string[] = []
  while (shouldContinue(kills, performance.now() - began)) {
    // Each once in a round, in any order.
    if (round.length === 0)
      round = PARTS.map((part) => [random(), part] as const)
        .sort()
        .map(([, part]) => part)
    const name = round.pop() ?? 'management'
    await sleep(200 + random() * 1_500)
    await stack.part(name).kill()
    await sleep(random() * 1_000)
    await stack.part(name).start()
    report(`${name} was killed and started again`)
    const wanted = partitions[kills++]
    if (wanted === undefined || wanted <= current) continue
    current = wanted
    await stack.replace('identity', { CHUNK_PARTITIONS: String(wanted) })
    report(`the queue has ${String(wanted)} partitions`)
  }
  return kills
}

/** Waits until everything is stored, and nothing lies in the queue any more: not even what a killed NATS has brought back. */
async function settle(stack: Stack, acknowledged: number): Promise<undefined> {
  const connection = await connectNats({ url: stack.natsUrl, name: 'soak' })
  try {
    await eventually(
      async () => {
        const stored = await countStored(stack)
        if (stored < acknowledged)
          throw new Error(`${String(stored)} of ${String(acknowledged)} chunks are stored`)
        for (const stream of await chunkStreams(connection)) {
          const lying = await new StoredStream(connection, stream).from(1)
          if (lying) throw new Error(`message ${String(lying.number)} still lies in ${stream.name}`)
        }
      },
      { withinMs: SETTLED_MS, everyMs: 1_000 },
    )
  } finally {
    await connection.drain()
  }
}

async function countStored(stack: Stack): Promise<number> {
  return withClient(stack, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM management.device_chunks',
    )
    return rows[0]?.count ?? 0
  })
}

async function withClient<Value>(stack: Stack, work: (client: Client) => Promise<Value>): Promise<Value> {
  const client = new Client({ connectionString: stack.adminDatabaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Returns the stored chunks of each device, in order. */
async function readStored(stack: Stack): Promise<Map<string, string[]>> {
  return withClient(stack, async (client) => {
    const { rows } = await client.query<{ serial: string; data: Buffer }>(
      `SELECT device.serial, chunk.data FROM management.device_chunks chunk
       JOIN management.devices device ON device.id = chunk.device_id
       ORDER BY device.serial, chunk.stream_started_at, chunk.sequence, chunk.part`,
    )
    const found = new Map<string, string[]>()
    for (const { serial, data } of rows) {
      const chunks = found.get(serial)
      if (chunks) chunks.push(data.toString())
      else found.set(serial, [data.toString()])
    }
    return found
  })
}

/** Numbers in their order: a message that was delivered again is read later than those after it. */
function inOrder(numbers: readonly string[] = []): string[] {
  return numbers.toSorted((a, b) => Number(a) - Number(b))
}

function faultsOf(where: string, { serial, acknowledged }: SoakDevice, stored: readonly string[]): string[] {
  const expected = Array.from({ length: acknowledged }, (_, i) => String(i + 1))
  if (stored.join() === expected.join()) return []
  const there = new Set(stored)
  const lost = expected.filter((number) => !there.has(number))
  const seen = new Set<string>()
  const twice = stored.filter((number) => seen.size === seen.add(number).size)
  return [
    `${serial}: ${String(acknowledged)} acknowledged, ${String(stored.length)} ${where}; lost ${lost.slice(0, 10).join() || 'none'}; twice ${twice.slice(0, 10).join() || 'none'}`,
  ]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
