import { figuresOf, line } from './figures.js'
import { run, type Round } from './load.js'

/** One side of a comparison. */
export interface Side {
  readonly name: string
  readonly port: number
  readonly requests: readonly Buffer[]
  /** Does what has to be done before and after each of its rounds. */
  readonly around?: (measure: () => Promise<Round>) => Promise<Round>
}

/** Concurrent connections, each with one request after the other. */
const FEW_CONNECTIONS = 32
/** As a fleet has more of them. */
export const MANY_CONNECTIONS = 128
const ROUND_SECONDS = 4
const ROUNDS = 4
const WARM_UP_SECONDS = 3

/**
 * Compares sides with the first one, in one run and interleaved: this machine may become slower or faster meanwhile.
 *
 * @returns the ratio of requests per second, by the name of the side
 */
export async function compareHttp(
  title: string,
  sides: readonly Side[],
  connections = FEW_CONNECTIONS,
): Promise<Record<string, number>> {
  process.stdout.write(`\n${title} (${String(connections)} connections)\n`)
  const rounds = new Map<Side, Round[]>(sides.map((side) => [side, []]))
  for (const side of sides) await measure(side, connections, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [side, measured] of rounds) measured.push(await measure(side, connections, ROUND_SECONDS))
  const ratios: Record<string, number> = {}
  let baseline = 0
  for (const [side, measured] of rounds) {
    const figures = figuresOf(measured)
    baseline ||= figures.perSecond
    ratios[side.name] = figures.perSecond / baseline
    process.stdout.write(`${line(side.name, figures, ratios[side.name])}\n`)
  }
  return ratios
}

function measure(
  { around = (once) => once(), ...side }: Side,
  connections: number,
  seconds: number,
): Promise<Round> {
  return around(() => run({ ...side, connections, seconds }))
}
