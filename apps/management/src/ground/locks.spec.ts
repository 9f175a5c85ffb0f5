import { randomUUID } from 'node:crypto'
import { eventually } from '@bearing/testing/eventually'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestManagement } from '../testing/test-management.js'
import { lockDeletions } from './locks.js'

/** Time-out of a transaction, in milliseconds. */
const TIMEOUT_MS = 60_000

describe('the deletion of a device', () => {
  const management = forSuite(() => TestManagement.connect())
  const looking = forSuite(() => TestManagement.connect())

  const projectOf = (lock: number) => `${randomUUID().slice(0, -4)}00${lock.toString(16).padStart(2, '0')}`

  /** Begins to store what projects send. */
  function store(storing: readonly string[]) {
    const { promise: process, resolve } = Promise.withResolvers<number>()
    const done = management.database.transaction(
      async (transaction) => {
        const [row] = await transaction.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`
        resolve(row.pid)
        await lockDeletions(transaction, 'shared', storing)
      },
      { timeout: TIMEOUT_MS },
    )
    return { process, done }
  }

  /** Until a process of Postgres waits for such a lock. */
  async function waits(process: number): Promise<void> {
    await eventually(async () => {
      const found = await looking.database.$queryRaw`
        SELECT wait_event_type, wait_event FROM pg_stat_activity WHERE pid = ${process}::integer`
      expect(found).toEqual([{ wait_event_type: 'Lock', wait_event: 'advisory' }])
    })
  }

  it('waits for what its project stores, and holds up no other project', async () => {
    const [deleting, other, another] = [projectOf(1), projectOf(2), projectOf(3)]
    const held = await management.database.transaction(
      async (transaction) => {
        await lockDeletions(transaction, 'exclusive', [deleting])
        await store([other, another]).done
        const { process, done } = store([other, deleting])
        await waits(await process)
        return { done }
      },
      { timeout: TIMEOUT_MS },
    )
    await held.done
  })

  it('of two concurrent projects never deadlocks, in whatever order their messages come', async () => {
    const projects = Array.from({ length: 64 }, (_, lock) => projectOf(lock))
    const backwards = [...projects].reverse()
    const take = async (ids: readonly string[]) => {
      for (let i = 0; i < 20; i++)
        await management.database.transaction((transaction) => lockDeletions(transaction, 'exclusive', ids), {
          timeout: TIMEOUT_MS,
        })
    }
    // Postgres ends a transaction where they do.
    await Promise.all([take(projects), take(backwards)])
  })
})
