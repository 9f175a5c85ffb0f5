import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { TestManagement } from '../testing/test-management.js'
import { lockDeletions } from './deletion-lock.js'

/** Longer than it takes to get a lock that is free, in milliseconds. */
const WAIT_MS = 1_000

describe('the deletion of a device', () => {
  let management: TestManagement

  beforeAll(async () => {
    management = await TestManagement.connect()
  })

  afterAll(() => management.close())

  /** A project whose lock is a certain one. */
  const projectOf = (lock: number) => `${randomUUID().slice(0, -4)}00${lock.toString(16).padStart(2, '0')}`

  /** Whether what projects send can be stored right now. */
  async function isStored(storing: readonly string[]): Promise<boolean> {
    const store = management.database.$transaction(
      (transaction) => lockDeletions(transaction, 'shared', storing),
      { timeout: 10 * WAIT_MS },
    )
    return Promise.race([store.then(() => true), sleep(WAIT_MS, false)])
  }

  it('waits for what its project stores, and holds up no other project', async () => {
    const [deleting, other, another] = [projectOf(1), projectOf(2), projectOf(3)]
    await management.database.$transaction(
      async (transaction) => {
        await lockDeletions(transaction, 'exclusive', [deleting])
        expect(await isStored([other, another])).toBe(true)
        expect(await isStored([other, deleting])).toBe(false)
      },
      { timeout: 10 * WAIT_MS },
    )
    expect(await isStored([other, deleting])).toBe(true)
  })

  it('of two projects at once waits for nobody in a circle, in whatever order their messages come', async () => {
    const projects = Array.from({ length: 64 }, (_, lock) => projectOf(lock))
    const backwards = [...projects].reverse()
    const take = async (ids: readonly string[]) => {
      for (let i = 0; i < 20; i++)
        await management.database.$transaction(
          (transaction) => lockDeletions(transaction, 'exclusive', ids),
          {
            timeout: 10 * WAIT_MS,
          },
        )
    }
    // Postgres ends a transaction where they do.
    await Promise.all([take(projects), take(backwards)])
  })
})
