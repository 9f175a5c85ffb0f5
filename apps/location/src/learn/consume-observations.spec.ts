import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  OBSERVATIONS_SUBJECT,
  REJECTED_OBSERVATIONS_SUBJECT,
} from '@bearing/contracts/location/observations/observation'
import { OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats, type Connection } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import type { Postpone, QueuedMessage } from '@bearing/nats/work-queue'
import { Clock } from '@bearing/service/ground/clock'
import { createLogger } from '@bearing/service/observe/logger'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { v7 } from 'uuid'
import { ConsumeObservations } from './consume-observations.js'
import { takeLayer } from '../ground/locks.js'
import { LearnObservations } from './learn-observations.js'
import { testPools } from '../testing/test-pools.js'
import { CrashCounts } from './crash-counts.js'

let stack: Stack
let pool: pg.Pool
let admin: pg.Client
let nats: Connection
beforeAll(async () => {
  stack = await startStack({ postgres: 'own', services: ['identity', 'location'], gateways: 0 })
  nats = await connectNats({ url: stack.natsUrl, name: 'consume-observations-spec' })
  pool = new pg.Pool({ connectionString: stack.databaseUrls.location })
  // A Postgres that is stopped sends errors to idle connections.
  pool.on('error', () => undefined)
  const asAdmin = new URL(stack.adminDatabaseUrl)
  asAdmin.pathname = new URL(stack.databaseUrls.location).pathname
  admin = new pg.Client(asAdmin.href)
  admin.on('error', () => undefined)
  await admin.connect()
  await eventually(() => outcome(), { withinMs: 30_000 })
})
afterAll(async () => {
  await admin.end()
  await pool.end()
  await nats.drain()
  await stack.stop()
})

let organizationId = v7()
beforeEach(() => {
  organizationId = v7()
})

let sequence = 0
function queued(projectId: string, deliveries = 1): QueuedMessage {
  const observation = {
    id: v7(),
    device: null,
    at_seconds: Date.now() / 1_000 - 60,
    lat: 48,
    lon: 11,
    accuracy_meters: 5,
    speed: null,
    readings: [[0x02_00_00_00_00_01, -60, null]],
  }
  const message = { organization_id: organizationId, project_id: projectId, observations: [observation] }
  return {
    subject: `${OBSERVATIONS_SUBJECT}.${organizationId}.${projectId}`,
    header: () => undefined,
    id: v7(),
    body: Buffer.from(JSON.stringify(message)),
    streamStartedAt: new Date(1.7e12),
    sequence: ++sequence,
    receivedAt: new Date(),
    deliveries,
  }
}

const clock = new Clock(Date.now)
function consume(batch: readonly QueuedMessage[], postpone: Postpone = () => undefined): Promise<void> {
  const learn = new LearnObservations(testPools(pool), nats, clock)
  const store = new MessageStore(nats)
  const crashes = new CrashCounts(testPools(pool), clock)
  return new ConsumeObservations(learn, store, crashes, createLogger('spec', 'silent')).execute(
    batch,
    postpone,
  )
}

/** From now on the database answers observations of a project with an error. */
async function refuse(projectId: string, sqlState: string): Promise<void> {
  await admin.query(`
    CREATE OR REPLACE FUNCTION location.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.project_id = '${projectId}' THEN RAISE EXCEPTION USING ERRCODE = '${sqlState}'; END IF;
        RETURN NEW;
      END $$;
    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON location.observations FOR EACH ROW EXECUTE FUNCTION location.refuse()`)
}

/** Projects of which observations were learned from, and those of which they became dead letters. */
async function outcome(): Promise<{ learned: string[]; rejected: string[] }> {
  const { rows } = await pool.query<{ project_id: string }>(
    'SELECT project_id FROM observations WHERE organization_id = $1',
    [organizationId],
  )
  const info = await nats.raw.request(
    `$JS.API.STREAM.INFO.${OBSERVATION_DEAD_LETTER_STREAM.name}`,
    JSON.stringify({ subjects_filter: `${REJECTED_OBSERVATIONS_SUBJECT}.${organizationId}.>` }),
    { timeout: 30_000 },
  )
  const { state } = info.json<{ state?: { subjects?: Record<string, number> } }>()
  if (!state) throw new Error('the stream is not there')
  const rejected = Object.keys(state.subjects ?? {}).map((subject) => subject.split('.').at(-1) ?? '')
  return { learned: rows.map(({ project_id }) => project_id), rejected }
}

/** Locks the layer of an organization, as a rebuild does, until it is released. */
async function keep(layer: string): Promise<() => Promise<void>> {
  const client = new pg.Client(stack.databaseUrls.location)
  await client.connect()
  await client.query('BEGIN')
  await takeLayer(client, layer)
  return () => client.end()
}

const submit = ({ subject, id, body }: QueuedMessage) =>
  new MessageStore(nats).store({ subject, id, body, headers: {} })

describe('observations of an organization whose layer is being rebuilt', () => {
  it('wait in the queue, hold up no others, and are learned from, once, when it is done', async () => {
    await refuse(v7(), '42P01')
    const [busy, projects] = [organizationId, [v7(), v7()]]
    const giveBack = await keep(busy)
    for (const project of projects) await submit(queued(project))
    organizationId = v7()
    const others = [v7(), v7()]
    for (const project of others) await submit(queued(project))
    await eventually(async () => expect(new Set((await outcome()).learned)).toEqual(new Set(others)))
    organizationId = busy
    expect(await outcome()).toEqual({ learned: [], rejected: [] })
    await giveBack()
    await eventually(async () => expect(new Set((await outcome()).learned)).toEqual(new Set(projects)), {
      withinMs: 30_000,
    })
    expect((await outcome()).rejected).toEqual([])
  })

  it('come again after longer each time, and then from the end of the queue, so that they hold up nothing there', async () => {
    await refuse(v7(), '42P01')
    const giveBack = await keep(organizationId)
    const [project, free] = [v7(), v7()]
    const postponed: number[] = []
    const message = queued(project)
    for (let deliveries = 1; deliveries <= 5; deliveries++)
      await consume([{ ...message, deliveries }], (_, afterMs) => postponed.push(afterMs))
    expect(postponed).toEqual([2_000, 4_000, 8_000, 16_000])
    expect(await outcome()).toEqual({ learned: [], rejected: [] })
    await giveBack()
    await consume([queued(free)], () => postponed.push(0))
    // The service itself learns from the observation at the end of the queue.
    await eventually(
      async () => expect(new Set((await outcome()).learned)).toEqual(new Set([project, free])),
      { withinMs: 30_000 },
    )
    expect(postponed).toHaveLength(4)
  })
})

describe('observations', () => {
  it.each([
    ['is read-only', '25006'],
    ['has another password', '28P01'],
    ['lacks a table', '42P01'],
    ['lacks a column', '42703'],
    ['lacks a grant', '42501'],
    ['has met a bug of its own', 'XX000'],
  ])(
    'wait, all of them, where the database %s (%s), and are learned from once it has not',
    async (_, code) => {
      const [good, bad] = [v7(), v7()]
      const batch = [queued(bad), queued(good)]
      await refuse(bad, code)
      await expect(consume(batch)).rejects.toMatchObject({ code })
      expect(await outcome()).toEqual({ learned: [], rejected: [] })
      await refuse(v7(), code)
      await consume(batch)
      const { learned, rejected } = await outcome()
      expect(new Set(learned)).toEqual(new Set([good, bad]))
      expect(rejected).toEqual([])
    },
  )

  it.each(['22003', '23514', '54000'])(
    'that the database refuses because of their content (%s) become dead letters, alone',
    async (code) => {
      const [good, bad] = [v7(), v7()]
      await refuse(bad, code)
      await consume([queued(bad), queued(good)])
      expect(await outcome()).toEqual({ learned: [good], rejected: [bad] })
    },
  )

  it('of access points of which what is stored cannot be read, as of a newer version, become dead letters, alone', async () => {
    await refuse(v7(), '42P01')
    const newer = organizationId
    await consume([queued(v7())])
    await pool.query(
      'UPDATE learned_access_points SET statistics = set_byte(statistics, 0, 250) WHERE organization_id = $1',
      [newer],
    )
    const [bad, good] = [v7(), v7()]
    const batch = [queued(bad)]
    organizationId = v7()
    await consume([...batch, queued(good)])
    expect(await outcome()).toEqual({ learned: [good], rejected: [] })
    organizationId = newer
    expect((await outcome()).rejected).toEqual([bad])
    expect((await outcome()).learned).toHaveLength(1)
  })

  it('that were handed out a thousand times are learned from, and a database that fails puts none aside', async () => {
    const [good, bad] = [v7(), v7()]
    const batch = [queued(bad, 1_000), queued(good, 21)]
    await refuse(bad, '42P01')
    for (let attempt = 0; attempt < 10; attempt++)
      await expect(consume(batch)).rejects.toMatchObject({ code: '42P01' })
    expect(await outcome()).toEqual({ learned: [], rejected: [] })
    await refuse(v7(), '42P01')
    await consume(batch)
    const { learned, rejected } = await outcome()
    expect(new Set(learned)).toEqual(new Set([good, bad]))
    expect(rejected).toEqual([])
    expect((await pool.query('SELECT FROM suspect_messages')).rowCount).toBe(0)
  })

  it('that processes have crashed over become dead letters, alone, and only after several attempts', async () => {
    const [good, bad] = [v7(), v7()]
    const poison = queued(bad, 21)
    const crashes = new CrashCounts(testPools(pool), clock)
    // As five processes that died over it: each has begun, and none has ended.
    for (let died = 0; died < 4; died++) await crashes.start(poison)
    const spared = queued(v7(), 21)
    for (let died = 0; died < 3; died++) await crashes.start(spared)
    await crashes.start(poison)
    await consume([poison, spared, queued(good)])
    const { learned, rejected } = await outcome()
    expect(learned).toHaveLength(2)
    expect(learned).toContain(good)
    expect(rejected).toEqual([bad])
  })

  it('wait while Postgres is away, however often they are handed out, and are learned from when it is back', async () => {
    await refuse(v7(), '42P01')
    const [one, other] = [v7(), v7()]
    await stack.part('postgres').stop()
    for (let deliveries = 1; deliveries <= 30; deliveries++)
      await expect(consume([queued(one, deliveries), queued(other, deliveries)])).rejects.toThrow()
    await stack.part('postgres').start()
    const batch = [queued(one, 31), queued(other, 31)]
    await eventually(() => consume(batch), { withinMs: 30_000, everyMs: 200 })
    const { learned, rejected } = await outcome()
    expect(new Set(learned)).toEqual(new Set([one, other]))
    expect(rejected).toEqual([])
  })
})
