import { readFileSync, readdirSync } from 'node:fs'
import { eventually } from '@bearing/testing/eventually'
import { describe, expect, it } from '@jest/globals'
import { HashWorkers } from './hash-workers.js'

const OPTIONS = { memoryCost: 64, timeCost: 1, parallelism: 1 }

describe('the threads that hash passwords', () => {
  const onLinux = process.platform === 'linux' ? it : it.skip // as the name of the test says
  onLinux(
    'have the lowest priority, and no other thread has (Linux: elsewhere threads have none)',
    async () => {
      const before = niceThreads()
      const workers = new HashWorkers()
      await Promise.all([workers.hash('a password', OPTIONS), workers.hash('another', OPTIONS)])
      expect(niceThreads() - before).toBe(2)
    },
  )

  onLinux('end when there is nothing to hash, and start again', async () => {
    const before = niceThreads()
    const workers = new HashWorkers(1)
    for (let turn = 0; turn < 20; turn++) {
      const hash = await workers.hash('a password', OPTIONS)
      expect(await workers.verify(hash, 'a password')).toBe(true)
      await eventually(() => {
        expect(niceThreads()).toBeLessThanOrEqual(before)
      })
    }
  })

  it('report what they cannot do, and continue', async () => {
    const workers = new HashWorkers()
    await expect(workers.verify('no hash at all', 'a password')).rejects.toThrow()
    expect(await workers.verify(await workers.hash('a password', OPTIONS), 'a password')).toBe(true)
  })
})

/** Threads of this process whose nice value (proc_pid_stat(5), field 19) is 19. */
function niceThreads(): number {
  return readdirSync('/proc/self/task').filter((thread) => {
    const [, afterName = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return afterName.split(' ')[16] === '19'
  }).length
}
