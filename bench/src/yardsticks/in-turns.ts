import { run, type Load, type Round } from '../load.js'
import { processorSeconds } from './processor-time.js'

/** A side of a comparison: one way for requests to be answered. */
export interface Side extends Pick<Load, 'port' | 'requests'> {
  readonly connections?: number
  /** Processes whose time is counted, by the name of the part. */
  readonly processes: Readonly<Record<string, number>>
  /** Time that it is asked before the first round, in seconds (default: 3). */
  readonly warmUpSeconds?: number
  /** Waits until the work that a round has left is done; none of it is counted. */
  readonly settle?: () => Promise<unknown>
}

/** One round of a side. */
export interface Measured extends Round {
  readonly perSecond: number
  /** Processor time of each part for one request, in microseconds. */
  readonly micros: Readonly<Record<string, number>>
}

const CONNECTIONS = 32
const WARM_UP_SECONDS = 3
export const ROUND_SECONDS = 4

/**
 * Measures sides in turns: this machine may become slower or faster meanwhile.
 *
 * @param say gets a line of progress for each round
 * @returns the rounds of each side
 * @throws Error if a request failed
 */
export async function inTurns<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  rounds: number,
  say: (line: string) => void,
): Promise<Record<Name, readonly Measured[]>> {
  const names = Object.keys(sides) as Name[] // as declared
  const measured = Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<
    Name,
    Measured[]
  >
  for (const name of names) {
    const { warmUpSeconds = WARM_UP_SECONDS, settle } = sides[name]
    say(`warming up: ${name}`)
    await measure(name, sides[name], warmUpSeconds)
    await settle?.()
  }
  for (let round = 0; round < rounds; round++) {
    say(`round ${String(round + 1)} of ${String(rounds)}`)
    for (const [index] of names.entries()) {
      const name = names[(index + round) % names.length]
      if (name === undefined) throw new Error('unreachable: the index is that of a name')
      measured[name].push(await measure(name, sides[name], ROUND_SECONDS))
      await sides[name].settle?.()
    }
  }
  return measured
}

async function measure(name: string, side: Side, seconds: number): Promise<Measured> {
  const { port, requests, connections = CONNECTIONS, processes } = side
  const before = await timesOf(processes)
  const round = await run({ port, requests, connections, seconds })
  const after = await timesOf(processes)
  if (round.failures > 0)
    throw new Error(`${name}: ${String(round.failures)} of ${String(round.requests)} requests failed`)
  const micros = Object.fromEntries(
    Object.keys(processes).map((part) => [
      part,
      (((after[part] ?? 0) - (before[part] ?? 0)) * 1e6) / round.requests,
    ]),
  )
  return { ...round, perSecond: round.requests / round.seconds, micros }
}

async function timesOf(processes: Side['processes']): Promise<Record<string, number>> {
  const times = Object.entries(processes).map(async ([part, pid]) => [part, await processorSeconds([pid])])
  return Object.fromEntries(await Promise.all(times)) as Record<string, number>
}

/** Returns the processor time of all parts of a round, in microseconds for one request. */
export function microsOf({ micros }: Measured): number {
  return Object.values(micros).reduce((sum, part) => sum + part, 0)
}
