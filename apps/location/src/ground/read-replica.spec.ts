import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { resolveCellLocation } from '@bearing/contracts/location/cells/cell'
import { submitObservations } from '@bearing/contracts/location/observations/observation'
import { resolveWifiLocation } from '@bearing/contracts/location/lookups/wifi'
import { copyDatabase, dropDatabase, type Database } from '@bearing/testing/databases'
import { PostgresProxy } from '@bearing/testing/postgres-proxy'
import { eventually } from '@bearing/testing/eventually'
import { startStack, type Stack } from '@bearing/testing/stack'
import pg from 'pg'
import { v7 } from 'uuid'
import { Callers, importAll, type Caller } from '../testing/test-caller.js'

// Reads go to a database of its own, which refuses writes, and has other rows, as a replica that is behind has. So every read and
// every write shows its database.

let stack: Stack
let replica: Database
let callers: Callers
let primary: pg.Client
let copy: pg.Client
/** Proxy between the service and the replica. */
let way: PostgresProxy
beforeAll(async () => {
  stack = await startStack({ services: ['identity', 'location'], gateways: 0, postgres: 'own' })
  replica = await copyDatabase(stack.adminDatabaseUrl, stack.templateDatabase)
  primary = new pg.Client(stack.databaseUrls.location)
  copy = new pg.Client(replica.adminUrl)
  for (const client of [primary, copy]) await client.connect()
  await copy.query(`ALTER DATABASE ${replica.name} SET default_transaction_read_only = on`)
  way = await PostgresProxy.start(replica.serviceUrls.location)
  await stack.replace('location', { LOCATION_READ_URL: way.url })
  callers = await Callers.open(stack.natsUrl)
})
afterAll(async () => {
  await callers.close()
  for (const client of [primary, copy]) await client.end()
  await dropDatabase(stack.adminDatabaseUrl, replica)
  await stack.stop()
})

const PROJECT = v7()
const address = (number: number) => (0x02_f3_00_00_00_00 + number * 64).toString(16).padStart(12, '0')
const HEARD = [1, 2, 3].map((number) => ({ macAddress: address(number), signalStrength: -60 }))
const CELL = {
  radioType: 'lte',
  mobileCountryCode: 262,
  mobileNetworkCode: 1,
  locationAreaCode: 7,
  cellId: 8,
}

type Organization = Caller & { readonly organizationId: string }
const scopeOf = ({ organizationId }: Organization) => ({
  organization_id: organizationId,
  project_id: PROJECT,
})
const locate = (caller: Organization) =>
  caller.call(resolveWifiLocation, { ...scopeOf(caller), accessPoints: HEARD })

/** Rows of what positions are found with. */
async function rowsIn(client: pg.Client, { organizationId }: Organization): Promise<unknown> {
  const { rows } = await client.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM location.access_points WHERE organization_id = $1) AS imported,
       (SELECT count(*)::int FROM location.learned_access_points WHERE organization_id = $1) AS learned,
       (SELECT count(*)::int FROM location.observations WHERE organization_id = $1) AS observations`,
    [organizationId],
  )
  return rows[0]
}

describe('with a replica to read from', () => {
  it('positions are looked up there, and there alone', async () => {
    const mine = await callers.newOrganization()
    await copy.query('SET default_transaction_read_only = off')
    for (const number of [1, 2, 3])
      await copy.query(
        'INSERT INTO location.access_points VALUES ($1, $2, 52.5, 13.4, 0, 0, 1, true, now())',
        [Number.parseInt(address(number), 16), mine.organizationId],
      )
    await copy.query('INSERT INTO location.cells VALUES (4, 262, 1, 7, 8, $1, 47.4, 8.5, 900, 9, now())', [
      mine.organizationId,
    ])
    expect(await locate(mine)).toMatchObject({
      lat: expect.closeTo(52.5, 4) as unknown as number,
      fulfilledWith: 'WIFI',
    })
    const cell = await mine.call(resolveCellLocation, { ...scopeOf(mine), cellTowers: [CELL] })
    expect(cell).toMatchObject({ lat: expect.closeTo(47.4, 6) as unknown as number, fulfilledWith: 'SCELL' })
    expect(await rowsIn(primary, mine)).toEqual({ imported: 0, learned: 0, observations: 0 })
  })

  it('everything is written to the database itself, and what the replica does not have yet is not found', async () => {
    const mine = await callers.newOrganization()
    await importAll(
      mine,
      'positions',
      [1, 2, 3].map((number) => [address(number), 48.1, 11.5, null]),
    )
    const item = {
      timestamp: Date.now() - 60_000,
      position: { latitude: 48.1, longitude: 11.5, accuracy: 5 },
      wifiAccessPoints: HEARD,
    }
    await mine.call(submitObservations, { ...scopeOf(mine), items: [item] })
    await eventually(
      async () => expect(await rowsIn(primary, mine)).toEqual({ imported: 3, learned: 3, observations: 1 }),
      { withinMs: 30_000, everyMs: 100 },
    )
    expect(await rowsIn(copy, mine)).toEqual({ imported: 0, learned: 0, observations: 0 })
    await expect(locate(mine)).rejects.toMatchObject({ code: 'location_not_found' })
  })

  it('a replica that is away is said to be, and not taken for one that knows nothing', async () => {
    const mine = await callers.newOrganization()
    await way.stop()
    await expect(locate(mine)).rejects.toMatchObject({ code: 'service_unavailable' })
    // Writes and learning continue.
    const { status, body } = await stack.readiness('location')
    expect({ status, ...body }).toMatchObject({ status: 200, postgres: 'ok', replica: 'unavailable' })
  })
})
