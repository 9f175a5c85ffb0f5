import { connectTo } from '@bearing/testing/connect-to'
import { forSuite, namedStack } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { DEAD_LETTER_HEADERS } from '@bearing/contracts/nats/dead-letters'
import {
  listRejectedObservations,
  replayRejectedObservations,
} from '@bearing/contracts/location/observations/rejected-observation'
import { OBSERVATIONS_SUBJECT } from '@bearing/contracts/location/observations/observation'
import type { Output } from '@bearing/contracts/operation'
import { OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { eventually } from '@bearing/testing/eventually'
import { Clock } from '@bearing/service/ground/clock'
import { DeadLetters, SweepDeadLetters } from '@bearing/service/store/dead-letters'
import { createLogger } from '@bearing/service/observe/logger'
import { v7 } from 'uuid'
import { openLearningPool } from '../../ground/database.js'
import { Callers } from '../../testing/test-caller.js'
import { observationRetention } from './dead-letters.js'
import { testPools } from '../../testing/test-pools.js'

const stack = namedStack('location')
const callers = forSuite(() => Callers.open(stack.natsUrl))
const nats = forSuite(
  () => connectNats({ url: stack.natsUrl, name: 'rejected-observations-spec' }),
  (it) => it.drain(),
)
const database = forSuite(() => connectTo(stack.databaseUrls.location))

type Listed = Output<typeof listRejectedObservations>['data']

async function listed(): Promise<Listed> {
  const all: Listed = []
  for (let after: number | null = 0; after !== null;) {
    const part: Output<typeof listRejectedObservations> = await callers.operator.call(
      listRejectedObservations,
      { after },
    )
    all.push(...part.data)
    after = part.next
  }
  return all
}

const replay = (numbers: number[]) => callers.operator.call(replayRejectedObservations, { numbers })

function good(organization_id: string, project_id: string): Buffer {
  const readings = [0, 16].map((more) => [0x02_f2_00_00_00_00 + more, -60, null])
  const place = { lat: 48, lon: 11, accuracy_meters: 5, at_seconds: Date.now() / 1_000 - 60 }
  const observation = { ...place, id: v7(), device: null, speed: null, readings }
  return Buffer.from(JSON.stringify({ organization_id, project_id, observations: [observation] }))
}

describe('observations in the dead-letter queue', () => {
  it('are listed with the reason, stay where they cannot be learned from, and nobody but operators sees them', async () => {
    const [organization, project] = [v7(), v7()]
    const subject = `${OBSERVATIONS_SUBJECT}.${organization}.${project}`
    await new MessageStore(nats).store({ subject, id: v7(), body: Buffer.from('no JSON'), headers: {} })
    const found = await eventually(
      async () => {
        const one = (await listed()).find(({ organization_id }) => organization_id === organization)
        if (!one) throw new Error('not yet')
        return one
      },
      { withinMs: 30_000 },
    )
    expect(found).toMatchObject({ project_id: project, size: 7, reason: 'it cannot be read' })
    expect(Math.abs(Date.parse(found.received_at ?? '') - Date.now())).toBeLessThan(60_000)
    const { number } = found
    const failed = [{ number, reason: 'it cannot be read' }]
    expect(await replay([number, number])).toEqual({ replayed: [], failed })
    expect((await listed()).map((one) => one.number)).toContain(number)
    const somebody = await callers.newOrganization()
    for (const call of [
      () => somebody.call(listRejectedObservations, {}),
      () => somebody.call(replayRejectedObservations, { numbers: [number] }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('are learned from, once, when they are replayed, and that is written down', async () => {
    const [organization, project] = [v7(), v7()]
    const store = new MessageStore(nats)
    const subject = `${OBSERVATION_DEAD_LETTER_STREAM.subject}.${organization}.${project}`
    const headers = { [DEAD_LETTER_HEADERS.reason]: 'nothing can be learned from it' }
    await store.store({ subject, id: v7(), body: good(organization, project), headers })
    const mine = async () =>
      (await listed()).filter(({ organization_id }) => organization_id === organization)
    const [number = 0] = (await mine()).map((one) => one.number)
    expect(await mine()).toMatchObject([{ reason: headers[DEAD_LETTER_HEADERS.reason], received_at: null }])
    expect(await replay([number])).toEqual({ replayed: [number], failed: [] })
    expect(await mine()).toEqual([])
    const { rowCount } = await database.query(
      'SELECT FROM learned_access_points WHERE organization_id = $1',
      [organization],
    )
    expect(rowCount).toBe(2)
    expect(await replay([number])).toEqual({
      replayed: [],
      failed: [{ number, reason: 'the dead letter does not exist' }],
    })
    const { rows } = await database.query(
      'SELECT action, actor_kind, details FROM audit_log WHERE organization_id = $1',
      [organization],
    )
    expect(rows).toEqual([
      { action: 'rejected_observations.replayed', actor_kind: 'service', details: { observations: 1 } },
    ])
  })

  it('are kept no longer than their organization keeps what it contributes', async () => {
    const [brief, kept] = [v7(), v7()]
    const now = Date.now()
    const put = async (organization: string, hours: number | null) => {
      const id = v7()
      await new MessageStore(nats).store({
        subject: `${OBSERVATION_DEAD_LETTER_STREAM.subject}.${organization}.${v7()}`,
        id,
        body: Buffer.from(id),
        headers: {
          [DEAD_LETTER_HEADERS.reason]: 'it cannot be read',
          [DEAD_LETTER_HEADERS.receivedAt]: hours === null ? undefined : String(now - hours * 3_600_000),
        },
      })
    }
    await database.query(
      'INSERT INTO location_settings (organization_id, retention_days, updated_at) VALUES ($1, 2, now())',
      [brief],
    )
    // Of one that nobody knows the age of, the stream's own limit holds.
    for (const hours of [49, 47, null]) await put(brief, hours)
    for (const hours of [49, 24 * 366]) await put(kept, hours)
    const pool = openLearningPool(stack.databaseUrls.location)
    const silent = createLogger('spec', 'silent')
    const clock = new Clock(() => now)
    // As the service does it: NATS lets nobody look through a stream whose business it is not.
    const { nkeySeeds, natsUrl } = stack
    const location = await connectNats({ url: natsUrl, name: 'location', nkeySeed: nkeySeeds.location })
    const letters = new DeadLetters(location, OBSERVATION_DEAD_LETTER_STREAM)
    await new SweepDeadLetters(letters, observationRetention(testPools(pool)), clock, silent).sweep()
    await location.drain()
    await pool.end()
    const agesOf = async (organization: string) =>
      (await listed())
        .filter(({ organization_id }) => organization_id === organization)
        .map(({ received_at }) => received_at && (now - Date.parse(received_at)) / 3_600_000)
    expect(await agesOf(brief)).toEqual([47, null])
    expect(await agesOf(kept)).toEqual([49])
  })
})
