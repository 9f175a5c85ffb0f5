import { withinCall } from '@bearing/nats/call-context'
import type { Actor } from '@bearing/service/audit/audit-row'
import { MAX_NAMED_READINGS, Readings } from '@bearing/service/audit/readings'
import { Clock } from '@bearing/service/ground/clock'
import { TestDatabase } from '@bearing/testing/test-database'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { v7 } from 'uuid'
import { recordAudit } from '../ground/audit-log.js'
import { Database, openLearningPool } from '../ground/database.js'
import { RecordReading } from './record-reading.js'

describe('readings of positions', () => {
  const postgres = forSuite(() => TestDatabase.create())
  const pool = forSuite(
    () => openLearningPool(postgres.databaseUrls.location),
    (it) => it.end(),
  )
  const database = forSuite(
    () => new Database(pool),
    (it) => it.$disconnect(),
  )
  let nowMs: number
  let readings: RecordReading
  let scope: { organization_id: string; project_id: string }
  const token = (): Actor & { credential_id: string } => ({
    ...{ kind: 'organization_token', credential_id: v7(), organization_id: scope.organization_id },
    ...{ description: '', permissions: [], expires_at: null },
  })

  const recording = (into: Database) =>
    new RecordReading(
      new Readings(
        (by, event) =>
          into.transaction((transaction) => Promise.resolve(recordAudit(transaction, by, event))),
        new Clock(() => nowMs),
      ),
    )

  beforeEach(() => {
    nowMs = Date.UTC(2026, 2, 31)
    readings = recording(database)
    scope = { organization_id: v7(), project_id: v7() }
  })

  const recorded = async () =>
    (
      await pool.query<{ details: unknown }>(
        `SELECT details, actor_credential_id, address, target FROM audit_log
         WHERE organization_id = $1 AND action = 'device_positions.read' ORDER BY id`,
        [scope.organization_id],
      )
    ).rows

  it('are recorded once an hour for each caller, project and device, however often they repeat', async () => {
    const [by, other] = [token(), token()]
    for (let round = 0; round < 3; round++)
      for (const serial of ['A', undefined, 'B']) await readings.execute(scope, by, serial)
    await Promise.all(Array.from({ length: 20 }, () => readings.execute(scope, other, 'A')))
    const own = { actor_credential_id: by.credential_id, target: `project:${scope.project_id}` }
    const all = [
      { ...own, details: { device_serial: 'A' } },
      { ...own, details: { devices: 'latest of all devices' } },
      { ...own, details: { device_serial: 'B' } },
      { details: { device_serial: 'A' }, actor_credential_id: other.credential_id },
    ]
    expect(await recorded()).toMatchObject(all)
    nowMs += 3_599_999
    await readings.execute(scope, by, 'A')
    expect(await recorded()).toHaveLength(4)
    nowMs += 1
    await readings.execute(scope, by, 'A')
    await readings.execute({ ...scope, project_id: v7() }, by, 'A')
    expect(await recorded()).toHaveLength(6)
  })

  it('from another IP address are recorded again, for example with a stolen credential', async () => {
    const by = token()
    for (const clientAddress of ['192.0.2.1', '192.0.2.1', '198.51.100.7'])
      await withinCall({ requestId: 'r', deadlineMs: nowMs, clientAddress }, () =>
        readings.execute(scope, by, 'A'),
      )
    expect(await recorded()).toMatchObject([{ address: '192.0.2.1' }, { address: '198.51.100.7' }])
  })

  it('of more devices than are recorded by name are recorded once more in the hour', async () => {
    const by = token()
    for (let device = 0; device < MAX_NAMED_READINGS + 50; device++)
      await readings.execute(scope, by, `UNIT-${String(device)}`)
    const rows = await recorded()
    expect(rows).toHaveLength(MAX_NAMED_READINGS + 1)
    expect(rows.at(-1)).toMatchObject({ details: { devices: 'more than 100 devices' } })
    await readings.execute(scope, by, 'UNIT-0')
    await readings.execute(scope, by)
    expect(await recorded()).toHaveLength(MAX_NAMED_READINGS + 2)
  })

  it('that cannot be recorded fail, and are recorded when they are repeated', async () => {
    const by = token()
    let isAway = true
    const flaky = new Proxy(database, {
      get: (target, name) =>
        name === 'transaction' && isAway
          ? () => Promise.reject(new Error('away'))
          : (Reflect.get(target, name, target) as unknown),
    })
    const reading = recording(flaky)
    await expect(reading.execute(scope, by, 'A')).rejects.toThrow('away')
    expect(await recorded()).toEqual([])
    isAway = false
    await reading.execute(scope, by, 'A')
    expect(await recorded()).toHaveLength(1)
  })
})
