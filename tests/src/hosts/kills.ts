import { setTimeout as sleep } from 'node:timers/promises'
import { NATS_HOSTS } from '@bearing/testing/hosts/host-stack'
import { boundedShare } from './faults.js'
import type { Fault, Lab } from './run-fault.js'
import { untilCaughtUp } from './streams.js'

/** Time between a start and the next kill, in milliseconds. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 3_000]
/** Clients lose what is under way in a process that is killed. */
const MOST_PERCENT = 2

/**
 * One of every process and of the NATS servers is killed (-9) and started again, in random order, every few seconds.
 *
 * @param shouldContinue after so many kills and milliseconds
 */
export function kills(shouldContinue: (kills: number, elapsedMs: number) => boolean): Fault {
  return {
    name: 'kills',
    title: 'one of every process killed every few seconds',
    bar: `≤ ${String(MOST_PERCENT)} % of requests fail`,
    happen: async (lab, requests) => {
      const beganMs = performance.now()
      let count = 0
      let round: string[] = []
      while (shouldContinue(count, performance.now() - beganMs)) {
        if (round.length === 0) round = newRound(lab)
        const name = round.pop() ?? ''
        await lab.stack.part(name).kill()
        await lab.stack.part(name).start()
        // Two of three servers have to be there.
        if (isNats(name)) await untilCaughtUp(lab.stack)
        count++
        await sleep(SHORTEST_MS + lab.random() * (LONGEST_MS - SHORTEST_MS))
      }
      const { measured, missed } = boundedShare(requests, beganMs, MOST_PERCENT)
      const seconds = Math.round((performance.now() - beganMs) / 1_000)
      return { measured: `${String(count)} kills in ${String(seconds)} s: ${measured}`, missed }
    },
  }
}

/** Each once, in any order. */
function newRound({ stack, random }: Lab): string[] {
  const names = [...stack.placements.map(({ process, host }) => `${process}-${host}`), ...NATS_HOSTS]
  return names
    .map((name) => [random(), name] as const)
    .sort(([a], [b]) => a - b)
    .map(([, name]) => name)
}

function isNats(name: string): boolean {
  return (NATS_HOSTS as readonly string[]).includes(name)
}
