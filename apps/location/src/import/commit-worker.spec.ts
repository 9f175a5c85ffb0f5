import { connectTo } from '@bearing/testing/connect-to'
import { setTimeout as sleep } from 'node:timers/promises'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { eventually } from '@bearing/testing/eventually'
import { Callers, append, begin, commit, show } from '../testing/test-caller.js'

const stack = stackForSuite({
  services: ['identity', 'location'],
  gateways: 0,
  // In many parts, which takes long enough to be interrupted.
  constants: { location: { LOCATION_COMMIT_ACCESS_POINTS: 16_384 } },
})
const callers = forSuite(() => Callers.open(stack.natsUrl))
const database = forSuite(() => connectTo(stack.databaseUrls.location))
const organization = forSuite(() => callers.newOrganization())

const PATIENCE = { withinMs: 90_000 }

describe('a process that goes while it commits', () => {
  const ROWS = 5_000
  const BATCHES = 20

  /** Returns an import that takes long enough to be interrupted. */
  async function submitted(name: string): Promise<string> {
    const { id } = await begin(organization, 'observations', name)
    for (let batch = 0; batch < BATCHES; batch++) {
      const rows = Array.from({ length: ROWS }, (_, row): [string, number, number, number] => [
        (0x06_00_00_00_00_00 + batch * ROWS + row).toString(16).padStart(12, '0'),
        48,
        11,
        -50,
      ])
      await append(organization, id, batch, rows)
    }
    return id
  }

  /** Commits an import whose rows are held up from outside, until the process that writes them waits. */
  async function heldUp(id: string): Promise<{ letGo: () => Promise<void> }> {
    await database.query('BEGIN; LOCK TABLE access_points IN SHARE MODE')
    await commit(organization, id, BATCHES, BATCHES * ROWS)
    await eventually(async () => {
      const { rows } = await database.query(
        `SELECT FROM pg_locks JOIN pg_class ON pg_class.oid = relation
         WHERE relname = 'access_points' AND mode = 'RowExclusiveLock' AND NOT granted`,
      )
      expect(rows.length).toBeGreaterThan(0)
    }, PATIENCE)
    return {
      letGo: async () => {
        await database.query('ROLLBACK')
      },
    }
  }

  it('killed leaves nothing half done, and the import is committed once by the next one', async () => {
    const id = await submitted('killed')
    const before = await sums()
    const { letGo } = await heldUp(id)
    await stack.part('location').kill()
    await letGo()
    expect(await stateOf(id)).toBe('committing')
    expect(await sums()).toEqual(before)
    await stack.part('location').start()
    const shown = await committed(id)
    expect(shown).toMatchObject({ added: BATCHES * ROWS, updated: 0 })
    expect(await sums()).toEqual({ access_points: before.access_points + BATCHES * ROWS })
  })

  it('that has to stop drops it immediately, and leaves it to the next one', async () => {
    const id = await submitted('stopped')
    const { letGo } = await heldUp(id)
    // As long as it is held up it cannot be committed: waiting for that would take too long.
    await stack.part('location').stop()
    await letGo()
    expect(stack.part('location').output()).not.toContain('did not finish in time')
    expect(await stateOf(id)).toBe('committing')
    await stack.part('location').start()
    expect(await committed(id)).toMatchObject({ updated: BATCHES * ROWS })
  })

  it('is stood in for by another process that is there, and not before it is gone', async () => {
    const id = await submitted('taken over')
    const { letGo } = await heldUp(id)
    process.kill(stack.part('location').pid, 'SIGSTOP')
    await letGo()
    const replica = await stack.addReplica('location')
    await sleep(1_500)
    expect(await stateOf(id)).toBe('committing')
    await stack.part('location').kill()
    await eventually(async () => expect(await stateOf(id)).toBe('committed'), PATIENCE)
    await stack.part('location').start()
    await replica.stop()
    expect(await show(organization, id)).toMatchObject({ added: 0, updated: BATCHES * ROWS })
  })

  it('says in the log, once, that Postgres does not let it finish, and tries again until it does', async () => {
    const id = await submitted('canceled')
    const warnings = () =>
      stack
        .part('location')
        .output()
        .split('\n')
        .filter((line) => line.includes('"level":40') && line.includes('Imports cannot be committed'))
    const before = warnings().length
    const { letGo } = await heldUp(id)
    for (let canceled = 0; canceled < 3;) {
      const { rows } = await database.query(
        `SELECT pg_cancel_backend(pid) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
         WHERE relname = 'access_points' AND mode = 'RowExclusiveLock' AND NOT granted`,
      )
      canceled += rows.length
      await sleep(500)
    }
    await letGo()
    await committed(id)
    expect(warnings()).toHaveLength(before + 1)
  })

  async function stateOf(id: string): Promise<unknown> {
    const { rows } = await database.query<{ state: string }>('SELECT state FROM imports WHERE id = $1', [id])
    return rows[0]?.state
  }

  async function committed(id: string) {
    return eventually(async () => {
      const shown = await show(organization, id)
      expect(shown.state).toBe('committed')
      return shown
    }, PATIENCE)
  }

  async function sums(): Promise<{ access_points: number }> {
    const { rows } = await database.query<{ access_points: number }>(
      'SELECT count(*)::int AS access_points FROM access_points WHERE organization_id = $1',
      [organization.organizationId],
    )
    return rows[0] ?? { access_points: 0 }
  }
})
