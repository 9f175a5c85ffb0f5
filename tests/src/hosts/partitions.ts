import { setTimeout as sleep } from 'node:timers/promises'
import { CHUNK_STREAMS, chunkStream } from '@bearing/contracts/nats/streams'
import { boundedShare } from './faults.js'
import type { Fault } from './run-fault.js'
import { leaderOf, untilCaughtUp } from './streams.js'

/** Gateways read the number of partitions every two seconds. */
const FOLLOWED_MS = 5_000

/** Every process is replaced, one after the other, and the queue of chunks divided meanwhile: the new identity has another setting. */
export const PARTITIONS_GROW: Fault = {
  name: 'partitions',
  title: `every process replaced, queue of chunks divided into ${String(CHUNK_STREAMS.length)}`,
  bar: 'no request fails',
  happen: async ({ stack, own }, requests) => {
    const beganMs = performance.now()
    const environment = { CHUNK_PARTITIONS: String(CHUNK_STREAMS.length) }
    for (const placement of stack.placements) {
      await stack.remove(placement)
      await stack.add({ ...placement, ...(placement.process === 'identity' && { environment }) })
    }
    await untilCaughtUp(stack)
    await sleep(FOLLOWED_MS)
    const { measured, missed } = boundedShare(requests, beganMs, 0)
    const leaders: string[] = []
    for (const stream of CHUNK_STREAMS) leaders.push(await leaderOf(stack, stream))
    const partition = chunkStream(own.project.id, CHUNK_STREAMS.length).name
    return { measured: `${measured}; chunks go to ${partition}; leaders ${leaders.join(' ')}`, missed }
  },
}
