import { connectTo } from '@bearing/testing/connect-to'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import {
  changeLocationSettings,
  showLocationSettings,
} from '@bearing/contracts/location/settings/location-settings'
import {
  OBSERVATIONS_SUBJECT,
  submitObservations,
} from '@bearing/contracts/location/observations/observation'
import type { Output, Request } from '@bearing/contracts/operation'
import { OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/nats/streams'
import { connectNats } from '@bearing/nats/connection'
import { MessageStore } from '@bearing/nats/message-store'
import { accessPointEvidence } from '@bearing/positioning/learning/evidence/learn'
import { merge, type AccessPointStatistics } from '@bearing/positioning/learning/statistics/statistics'
import { decodeContribution } from '@bearing/positioning/learning/evidence/contribution-codec'
import { encodeStatistics } from '@bearing/positioning/learning/statistics/statistics-codec'
import { eventually } from '@bearing/testing/eventually'
import { v7 } from 'uuid'
import { Callers, type Caller } from '../../testing/test-caller.js'

type Organization = Caller & { readonly organizationId: string }
type Item = Request<typeof submitObservations>['items'][number]

const stack = stackForSuite({ services: ['identity', 'location'], gateways: 0 })
const callers = forSuite(() => Callers.open(stack.natsUrl))
const nats = forSuite(
  () => connectNats({ url: stack.natsUrl, name: 'observations-spec' }),
  (it) => it.drain(),
)
const database = forSuite(() => connectTo(stack.databaseUrls.location))

/** A submission that a process has died over is redelivered after half a minute. */
const PATIENCE = { withinMs: 90_000, everyMs: 100 }

let scans = 0
/** Returns a scan that no other test sends. */
function newItem(more: Partial<Item> = {}): Item {
  scans++
  return {
    timestamp: Date.now() - 3_600_000 + scans,
    position: { latitude: 48 + (scans % 50) * 1e-5, longitude: 11, accuracy: 8 },
    wifiAccessPoints: [1, 2, 3].map((number) => ({
      macAddress: (0x06_00_00_00_00_00 + (scans % 7) * 16 + number).toString(16).padStart(12, '0'),
      signalStrength: -40 - number,
    })),
    ...more,
  }
}

function submit(
  caller: Organization,
  items: Item[],
  idempotency_key?: string,
): Promise<Output<typeof submitObservations>> {
  const { organizationId: organization_id } = caller
  return caller.call(submitObservations, { organization_id, project_id: PROJECT, items, idempotency_key })
}
const PROJECT = v7()

async function contributions({ organizationId }: Organization): Promise<Buffer[]> {
  const { rows } = await database.query<{ contribution: Buffer }>(
    'SELECT contribution FROM observations WHERE organization_id = $1',
    [organizationId],
  )
  return rows.map(({ contribution }) => contribution)
}

/** Returns what the stored observations come to, and what was learned. */
async function bothWays(caller: Organization): Promise<[rebuilt: string[], learned: string[]]> {
  const parts = new Map<number, AccessPointStatistics[]>()
  for (const bytes of await contributions(caller)) {
    const contribution = decodeContribution(bytes)
    for (const { key, statistics } of accessPointEvidence(contribution, contribution.learned))
      parts.set(key, [...(parts.get(key) ?? []), statistics])
  }
  const rebuilt = [...parts].map(([bssid, list]) => `${String(bssid)} ${hex(encodeStatistics(merge(list)))}`)
  const { rows } = await database.query<{ bssid: string; statistics: Buffer }>(
    'SELECT bssid, statistics FROM learned_access_points WHERE organization_id = $1',
    [caller.organizationId],
  )
  return [rebuilt.sort(), rows.map(({ bssid, statistics }) => `${bssid} ${hex(statistics)}`).sort()]
}
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function learned(caller: Organization, count: number) {
  return eventually(async () => {
    expect(await contributions(caller)).toHaveLength(count)
  }, PATIENCE)
}

describe('observations', () => {
  it('are learned from once, however often they are sent: known by key, by id or by content', async () => {
    const caller = await callers.newOrganization()
    const [byKey, byId, byContent] = [newItem(), newItem({ id: 'the first' }), newItem()]
    for (const item of [byKey, newItem()])
      expect(await submit(caller, [item], 'a key')).toEqual({ accepted: 1, ignored: 0 })
    for (const item of [byId, newItem({ id: 'the first' })]) await submit(caller, [item])
    await submit(caller, [byContent])
    await submit(caller, [byContent, newItem()])
    await learned(caller, 4)
    const [rebuilt, known] = await bothWays(caller)
    expect(known).toEqual(rebuilt)
  })

  it('of networks that opted out are never stored, and names of networks are not either', async () => {
    const caller = await callers.newOrganization()
    const mac = (number: number) => `0e:00:00:00:00:0${String(number)}`
    const names = ['home_nomap', 'x_OPTOUT_y', 'a name that nobody else has']
    const item = newItem({
      wifiAccessPoints: names.map((ssid, number) => ({ macAddress: mac(number), signalStrength: -50, ssid })),
    })
    const alone = newItem({ wifiAccessPoints: item.wifiAccessPoints?.slice(0, 2) })
    expect(await submit(caller, [item, alone])).toEqual({
      ...{ accepted: 1, ignored: 1 },
      reasons: { nothing_fresh: 1 },
    })
    await learned(caller, 1)
    const [bytes] = await contributions(caller)
    expect(decodeContribution(bytes ?? Buffer.alloc(0)).readings.map(({ bssid }) => bssid)).toEqual([
      0x0e_00_00_00_00_02,
    ])
    expect(bytes?.toString('latin1')).not.toContain('nobody')
  })

  it('that cannot be read become dead letters, and delay nothing', async () => {
    const caller = await callers.newOrganization()
    const store = new MessageStore(nats)
    const subject = `${OBSERVATIONS_SUBJECT}.${caller.organizationId}.${PROJECT}`
    await store.store({ subject, id: v7(), body: Buffer.from('not even JSON'), headers: {} })
    await store.store({ subject, id: v7(), body: Buffer.from('{"observations":7}'), headers: {} })
    await submit(caller, [newItem()])
    await learned(caller, 1)
    const asked = `$JS.API.STREAM.INFO.${OBSERVATION_DEAD_LETTER_STREAM.name}`
    await eventually(async () => {
      const info = await nats.raw.request(asked, undefined, { timeout: 30_000 })
      expect(info.json()).toMatchObject({ state: { messages: 2 } })
    }, PATIENCE)
  })

  it('that were accepted are all learned from, once, however often processes are killed', async () => {
    const caller = await callers.newOrganization()
    const replica = await stack.addReplica('location')
    const accepted: Item[] = []
    let isOver = false
    const submitting = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          const items = Array.from({ length: 20 }, () => newItem())
          // Whatever was not answered is sent again, as devices do.
          for (let isAccepted = false; !isAccepted;)
            isAccepted = await submit(caller, items).then(
              () => true,
              () => false,
            )
          accepted.push(...items)
        }
      }),
    )
    for (const part of [replica, stack.part('location')]) {
      const before = accepted.length
      await eventually(() => expect(accepted.length).toBeGreaterThan(before + 100), PATIENCE)
      await part.kill()
      await part.start()
    }
    isOver = true
    await submitting
    await learned(caller, accepted.length)
    const [rebuilt, known] = await bothWays(caller)
    expect(known).toEqual(rebuilt)
    await replica.stop()
  })

  it('are refused for now where JetStream is away, and never lost once accepted', async () => {
    const caller = await callers.newOrganization()
    await submit(caller, [newItem()])
    await learned(caller, 1)
    await stack.part('nats').kill()
    await stack.part('nats').start()
    await eventually(() => submit(caller, [newItem()]), PATIENCE)
    await learned(caller, 2)
  })
})

describe('the settings of an organization', () => {
  it('keep what is contributed for a year until an admin says otherwise, and that is written down', async () => {
    const caller = await callers.newOrganization()
    const organization = { organization_id: caller.organizationId }
    const defaults = { share_observations: false, observation_retention_days: 365 }
    expect(await caller.call(showLocationSettings, organization)).toEqual(defaults)
    const changed = { ...defaults, observation_retention_days: 30 }
    // A client of the version before may still ask to share, in vain.
    const asked = { ...organization, ...changed, share_observations: true }
    expect(await caller.call(changeLocationSettings, asked)).toEqual(changed)
    expect(await caller.call(showLocationSettings, organization)).toEqual(changed)
    const { rows } = await database.query(
      'SELECT action, details FROM audit_log WHERE organization_id = $1',
      [caller.organizationId],
    )
    expect(rows).toEqual([
      {
        action: 'location_settings.changed',
        details: { observation_retention_days: 30, observation_retention_days_before: 365 },
      },
    ])
  })
})
