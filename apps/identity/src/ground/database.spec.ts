import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ErrorCode, OperationError } from '@bearing/contracts/errors'
import { createUser } from '@bearing/contracts/identity/people/user'
import { eventually } from '@bearing/testing/eventually'
import { forSuite, stackForSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../testing/test-identity.js'

/** Postgres has a process for each connection, in a group of its own. */
function childrenOf(pid: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.filter(([, parent]) => parent === pid).flatMap(([child]) => child ?? [])
}

describe('while Postgres is not there', () => {
  const stack = stackForSuite({ postgres: 'own', services: ['identity'], gateways: 0 })
  const identity = forSuite(() => TestIdentity.connect(stack))
  const user = forSuite(() => identity.newUser())

  const read = () =>
    identity.introspect({ kind: 'user', email: user.email, secret: user.password }, { fresh: true })
  const write = () =>
    identity.callAsOperator(createUser, {
      email: `${randomUUID()}@example.com`,
      password: 'correct horse battery',
    })
  /** And not `deadline_exceeded`, as when there was no answer in time, unless that may be too. */
  const expectUnavailable = async (...orElse: ErrorCode[]) => {
    const codes: unknown[] = ['service_unavailable', ...orElse]
    for (const outcome of await Promise.allSettled([read(), write(), ...Array.from({ length: 15 }, read)]))
      expect(codes).toContain(outcome.status === 'rejected' && (outcome.reason as OperationError).code)
  }
  const expectWell = () =>
    eventually(
      async () => {
        await Promise.all([read(), write()])
      },
      { withinMs: 60_000, everyMs: 50 },
    )

  it('stopped: every caller is asked to try again, and everything works once it is back', async () => {
    await stack.part('postgres').stop()
    await expectUnavailable()
    await stack.part('postgres').start()
    await expectWell()
  })

  /** Keeps more callers busy than there are connections, while something happens, and returns the error codes that they received. */
  async function underLoad(happening: (codes: ReadonlySet<string>) => Promise<void>): Promise<Set<string>> {
    const codes = new Set<string>()
    let over = false
    const load = Array.from({ length: 16 }, async (_, index) => {
      while (!over)
        await (index % 2 ? read() : write()).catch((error: unknown) => {
          codes.add((error as { code: string }).code) // an OperationError: the client throws nothing else
        })
    })
    await sleep(200)
    await happening(codes)
    over = true
    await Promise.all(load)
    return codes
  }

  it('killed under load: nobody receives "internal", and everything works once it is back', async () => {
    const codes = await underLoad(async (received) => {
      await stack.part('postgres').kill()
      await eventually(() => expect(received.size).toBeGreaterThan(0))
    })
    expect(codes).toEqual(new Set(['service_unavailable']))
    await stack.part('postgres').start()
    await expectWell()
  })

  it('ending connections under load: the process lives', async () => {
    const { pid } = stack.part('identity')
    const codes = await underLoad(async (received) => {
      // As often as it takes to hit a caller: most of the time passwords are hashed, which takes no connection.
      for (let i = 0; i < 40 || received.size === 0; i++) {
        await identity.database.$queryRaw`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE usename = current_user AND pid <> pg_backend_pid()`
        await sleep(20)
      }
    })
    expect(codes).toEqual(new Set(['service_unavailable']))
    expect(() => process.kill(pid, 0)).not.toThrow()
    await expectWell()
  })

  it('hanging: every caller has an answer in time, and everything works once it resumes', async () => {
    await Promise.all(Array.from({ length: 20 }, read))
    const { pid } = stack.part('postgres')
    // The parent first, which then makes no more of them.
    process.kill(pid, 'SIGSTOP')
    const processes = [pid, ...childrenOf(pid)]
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => processes.forEach((each) => process.kill(each, name))
    signal('SIGSTOP')
    try {
      // On a busy machine the deadline of the caller passes before that of the connection.
      await expectUnavailable('deadline_exceeded')
    } finally {
      signal('SIGCONT')
    }
    await expectWell()
  })
})
