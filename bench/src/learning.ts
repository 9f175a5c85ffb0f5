import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ObservationMessage } from '@bearing/contracts/location/observation'
import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { startStack } from '@bearing/testing/stack'
import pg from 'pg'
import { processorSeconds } from './yardsticks/processor-time.js'

/** Observations in one submission, and access points in one observation. */
const SUBMISSION = 20
const PER_PLACE = 10
const OBSERVATIONS = 20_000
/** What is asked for (docs/performance.md). */
const AIM_PER_SECOND = 2_000

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * `pnpm bench:learning`: how many observations a second one process of the location service learns from. They wait in the
 * queue when it starts, so nothing but learning is measured. Processor time is that of location and of Postgres for one observation,
 * and says more than the rate where a machine does other work.
 */
const stack = await startStack({
  postgres: 'own',
  services: ['identity', 'location'],
  gateways: 0,
  environment: { identity: { LOG_LEVEL: 'warn' }, location: { LOG_LEVEL: 'warn' } },
})
const nats = await connectNats({ url: stack.natsUrl, name: 'bench' })
const database = new pg.Client(stack.adminDatabaseUrl)
await database.connect()
try {
  say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
  const organizationId = randomUUID()
  await measure('a street: 100,000 access points, heard for the first time', organizationId, 100_000)
  await measure('the same street again', organizationId, 100_000)
  await measure('a building: 500 access points', randomUUID(), 500)
} finally {
  await database.end()
  await nats.drain()
  await stack.stop()
}

async function measure(name: string, organizationId: string, accessPoints: number): Promise<void> {
  await stack.part('location').stop()
  const known = await countLearned(organizationId)
  const store = new MessageStore(nats)
  const messages = Array.from({ length: OBSERVATIONS / SUBMISSION }, (_, number) =>
    submission(organizationId, number, accessPoints),
  )
  await Promise.all(
    messages.map((message) =>
      store.store({
        subject: `${OBSERVATION_STREAM.subject}.${organizationId}.${message.project_id}`,
        id: randomUUID(),
        body: Buffer.from(JSON.stringify(message)),
        headers: {},
      }),
    ),
  )
  await stack.part('location').start()
  const first = await firstLearned(organizationId, known)
  const started = performance.now()
  const before = await processorTimes()
  let learned = first
  while (learned < known + OBSERVATIONS) {
    await sleep(50)
    learned = await countLearned(organizationId)
  }
  const after = await processorTimes()
  const count = learned - first
  const perSecond = (count / (performance.now() - started)) * 1_000
  const micros = (part: 'location' | 'postgres') => (((after[part] - before[part]) * 1e6) / count).toFixed(0)
  say(
    `${name}: ${perSecond.toFixed(0)} observations/s of ${String(PER_PLACE)} access points and 2 radio cells (${(perSecond / AIM_PER_SECOND).toFixed(2)} × ${String(AIM_PER_SECOND)}); processor time of one: location ${micros('location')} µs, Postgres ${micros('postgres')} µs`,
  )
}

/** Processor time since they started, in seconds. */
async function processorTimes(): Promise<Readonly<Record<'location' | 'postgres', number>>> {
  const of = (part: 'location' | 'postgres') => processorSeconds([stack.part(part).pid])
  return { location: await of('location'), postgres: await of('postgres') }
}

/** Waits for the first batch, and says how many observations there are then. */
async function firstLearned(organizationId: string, known: number): Promise<number> {
  for (;;) {
    const learned = await countLearned(organizationId)
    if (learned > known) return learned
    await sleep(5)
  }
}

async function countLearned(organizationId: string): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'SELECT count(*) FROM location.observations WHERE organization_id = $1',
    [organizationId],
  )
  return Number(rows[0]?.count)
}

/** Scans along a way on which each access point is heard for some meters. */
function submission(organizationId: string, number: number, accessPoints: number): ObservationMessage {
  return {
    organization_id: organizationId,
    project_id: organizationId,
    network: null,
    observations: Array.from({ length: SUBMISSION }, (_, index) => {
      const scan = number * SUBMISSION + index
      const first = (scan * 5) % accessPoints
      return {
        id: randomUUID(),
        device: null,
        at_seconds: Date.now() / 1_000 - OBSERVATIONS * 10 + scan * 10,
        lat: 45 + (first % accessPoints) * 1e-5,
        lon: 5 + (scan % 97) * 1e-5,
        accuracy_meters: 8,
        speed: null,
        readings: Array.from({ length: PER_PLACE }, (__, heard): [number, number, null] => [
          0x02_00_00_00_00_00 + ((first + heard) % accessPoints) * 16 + 1,
          -40 - ((scan * 7 + heard * 5) % 50),
          null,
        ]),
        // One that serves and one beside it, each for half a kilometer of the way.
        cells: [0, 1].map((beside) => [
          4,
          262,
          1,
          7,
          Math.floor(first / 500) + beside,
          -95 - (scan % 20),
          null,
        ]),
      }
    }),
  }
}
