import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from '@jest/globals'
import { pino } from 'pino'
import { BackgroundJob, type JobOptions } from './background-job.js'

const SILENT = { logger: pino({ level: 'silent' }), failure: 'failed' }

class Endless extends BackgroundJob {
  rounds = 0

  constructor() {
    super({
      ...SILENT,
      intervalMs: 60_000,
      run: async () => {
        for (; !this.isStopping; this.rounds++) await sleep(1)
      },
    })
  }
}

function jobOf(run: JobOptions['run'], intervalMs = 60_000): BackgroundJob {
  return new BackgroundJob({ ...SILENT, intervalMs, run })
}

it('a long run sees that the process stops, and is waited for', async () => {
  const endless = new Endless()
  endless.start()
  while (endless.rounds < 3) await sleep(1)
  await endless.stop()
  const { rounds } = endless
  await sleep(20)
  expect(endless.rounds).toBe(rounds)
})

it('runs immediately and at its interval, after failed runs too', async () => {
  let runs = 0
  const job = jobOf(() => Promise.reject(new Error(String(++runs))), 5)
  job.start()
  while (runs < 4) await sleep(1)
  await job.stop()
})

it('never runs twice at the same time, and runs again after each kick', async () => {
  let [active, most, runs, seen] = [0, 0, 0, 0]
  let kicks = 0
  const job = jobOf(async () => {
    seen = kicks
    most = Math.max(most, ++active)
    await sleep(Math.random() * 3)
    active--
    runs++
  })
  job.start()
  for (; kicks < 200; kicks++) {
    job.kick()
    if (Math.random() < 0.3) await sleep(Math.random() * 3)
  }
  job.kick()
  while (active > 0 || seen < kicks) await sleep(1)
  await job.stop()
  expect(most).toBe(1)
  expect(seen).toBe(kicks)
  expect(runs).toBeLessThanOrEqual(kicks + 2)
})

it('runs again after a kick at any moment of the end of a run', async () => {
  for (let turns = 0; turns < 12; turns++) {
    let runs = 0
    const job = jobOf(() => Promise.resolve(++runs))
    job.start()
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    const before = runs
    job.kick()
    await sleep(1)
    expect({ turns, again: runs > before }).toEqual({ turns, again: true })
    await job.stop()
  }
})

it('does not run after it was stopped, nor before it was started', async () => {
  let runs = 0
  const job = jobOf(() => Promise.resolve(++runs))
  job.kick()
  expect(runs).toBe(0)
  job.start()
  await job.stop()
  job.kick()
  job.start()
  await sleep(5)
  expect(runs).toBe(1)
})
