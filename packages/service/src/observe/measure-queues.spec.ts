import { describe, expect, it } from '@jest/globals'
import { Clock } from '../ground/clock.js'
import { createLogger } from './logger.js'
import { measureQueues, type Backlog } from './measure-queues.js'
import { Metrics } from './metrics.js'

const NOW_MS = 1_800_000_000_000
const waiting: Backlog = { entries: 3, since: new Date(NOW_MS - 90_000) }

async function linesOf(queues: Record<string, () => Promise<Backlog>>, times = 1): Promise<string[]> {
  const metrics = new Metrics()
  measureQueues({ metrics, logger: createLogger('test', 'silent') }, new Clock(() => NOW_MS), queues)
  let text = ''
  for (let asked = 0; asked < times; asked++) text = await metrics.registry.metrics()
  return text.split('\n').filter((line) => line.startsWith('bearing_queue'))
}

describe('the metrics of queues', () => {
  it('say how much waits and for how long, and that nothing does', async () => {
    const empty: Backlog = { entries: 0, since: null }
    const lines = await linesOf({
      mails: () => Promise.resolve(waiting),
      outbox: () => Promise.resolve(empty),
    })
    expect(lines).toEqual([
      'bearing_queue_entries{queue="mails"} 3',
      'bearing_queue_entries{queue="outbox"} 0',
      'bearing_queue_oldest_age_seconds{queue="mails"} 90',
      'bearing_queue_oldest_age_seconds{queue="outbox"} 0',
    ])
  })

  it('leave out queues that cannot be measured or hang, and report the others', async () => {
    const lines = await linesOf({
      down: () => Promise.reject(new Error('no database')),
      hanging: () => new Promise(() => {}),
      mails: () => Promise.resolve(waiting),
    })
    expect(lines.filter((line) => !line.includes('queue="mails"'))).toEqual([])
    expect(lines).toHaveLength(2)
  })

  it('ask once for both of them, and not again because somebody asks often, nor while an answer is due', async () => {
    let measured = 0
    let hanging = 0
    await linesOf(
      {
        mails: () => {
          measured++
          return Promise.resolve(waiting)
        },
        hanging: () => {
          hanging++
          return new Promise(() => {})
        },
      },
      2,
    )
    expect([measured, hanging]).toEqual([1, 1])
  })
})
