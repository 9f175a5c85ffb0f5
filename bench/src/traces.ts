import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { numbers } from './numbers.js'
import { TracedStack } from './traces/traced-stack.js'

/** Groups of three stacks, by the share of requests that is traced. */
const GROUPS = [
  ['0.01', 6],
  ['0', 2],
  ['1', 1],
] as const
const TURNS = 15
const BLOCK_SECONDS = 1
/** Before the first block: Node compiles what is hot. After traces are on for the first time it compiles again. */
const [WARM_UP_SECONDS, TRACED_SECONDS] = [8, 6]
const RESAMPLES = 4_000
const SEED = 19

/** Microseconds of a request in each block of a turn. */
type Turn = Readonly<Record<BlockName, number>>
const BLOCKS = ['on', 'off', 'off again', 'second', 'third'] as const
type BlockName = (typeof BLOCKS)[number]
type Figure = (turn: Turn) => number

const say = (text: string) => process.stdout.write(`${text}\n`)

/**
 * `pnpm bench:traces`: what traces cost, in processor time of gateway and management for a list of projects. Processes that are alike
 * differ by more than that, so traces are switched on and off within the same processes, by turns in short blocks; and what remains
 * when they are off again is compared with two stacks that never trace, relative to before.
 */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
let requestsOfCollector = 0
const collector = createServer((request, response) => {
  requestsOfCollector++
  request.resume().on('end', () => response.end('{}'))
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const endpoint = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`
const folder = await mkdtemp(join(tmpdir(), 'bearing-traces-'))
try {
  for (const [share, groups] of GROUPS) {
    say(`${String(Number(share) * 100)} % of requests traced`)
    const [before, after]: [Turn[][], Turn[][]] = [[], []]
    for (let group = 0; group < groups; group++) {
      const [former, latter] = await measureGroup(share)
      before.push(former)
      after.push(latter)
      report(before, after)
    }
  }
  say(`${String(requestsOfCollector)} batches of spans`)
} finally {
  collector.closeAllConnections()
  collector.close()
  await rm(folder, { recursive: true })
}

/** Measures three stacks by turns before the first one traces, and after that. */
async function measureGroup(share: string): Promise<readonly [Turn[], Turn[]]> {
  await using stacks = new AsyncDisposableStack()
  const start = async () =>
    stacks.use(await TracedStack.start(await mkdtemp(join(folder, 'stack-')), endpoint, share))
  const [first, second, third] = [await start(), await start(), await start()]
  for (const stack of [first, second, third]) await stack.measure('off', WARM_UP_SECONDS)
  const blocks = (state: 'on' | 'off') => ({
    on: () => first.measure(state, BLOCK_SECONDS),
    off: () => first.measure('off', BLOCK_SECONDS),
    'off again': () => first.measure('off', BLOCK_SECONDS),
    second: () => second.measure('off', BLOCK_SECONDS),
    third: () => third.measure('off', BLOCK_SECONDS),
  })
  const before = await takeTurns(blocks('off'))
  await first.measure('on', TRACED_SECONDS)
  return [before, await takeTurns(blocks('on'))]
}

/** Each block begins a turn as often as the others: the machine may become slower or faster meanwhile. */
async function takeTurns(blocks: Readonly<Record<BlockName, () => Promise<number>>>): Promise<Turn[]> {
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const measured: [BlockName, number][] = []
    for (const index of BLOCKS.keys()) {
      const name = BLOCKS[(index + turn) % BLOCKS.length]
      if (name !== undefined) measured.push([name, await blocks[name]()])
    }
    turns.push(Object.fromEntries(measured) as Turn) // it has every block
  }
  return turns
}

function report(before: readonly Turn[][], after: readonly Turn[][]): void {
  const untraced = ({ off, 'off again': again }: Turn) => (off + again) / 2
  const others = ({ second, third }: Turn) => (second + third) / 2
  const turns = after.flat()
  const micros = (figure: Figure) => `${median(turns.map(figure)).toFixed(1)} µs`
  say(
    `  ${micros(({ on }) => on)} on, ${micros(untraced)} off, ${String(after.length)} × ${String(TURNS)} turns`,
  )
  line(
    'on, against off',
    turns.map((turn) => percent(turn.on / untraced(turn))),
  )
  line(
    'control: off again, against off',
    turns.map((turn) => percent(turn['off again'] / turn.off)),
  )
  const remaining = (figure: Figure) =>
    after.map((of, group) => percent(median(of.map(figure)) / median((before[group] ?? []).map(figure))))
  line(
    'off after traces, against stacks without',
    remaining((turn) => untraced(turn) / others(turn)),
  )
  line(
    'control: second, against third stack',
    remaining(({ second, third }) => second / third),
  )
}

/** Prints the median with its 95 % confidence interval, by resampling. */
function line(name: string, values: readonly number[]): void {
  const next = numbers(SEED)
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(values.map(() => values[Math.floor(next() * values.length)] ?? Number.NaN)),
  ).toSorted((one, other) => one - other)
  const [low, high] = [0.025, 0.975].map((share) => medians[Math.floor(RESAMPLES * share)] ?? Number.NaN)
  const interval = `95 %: ${low?.toFixed(2) ?? '?'} to ${high?.toFixed(2) ?? '?'}`
  say(`  ${name.padEnd(42)} ${median(values).toFixed(2).padStart(6)} % (${interval})`)
}

function percent(ratio: number): number {
  return (ratio - 1) * 100
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}
