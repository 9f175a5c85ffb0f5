import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus } from 'node:os'
import { newOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { httpRequest, run } from './load.js'

/** Each side has so many stacks, one after the other: two stacks that are alike differ by some percent for as long as they run. */
const STACKS = 6
const ROUNDS = 6
const ROUND_SECONDS = 2
const CONNECTIONS = 16
const ATTEMPTS = 5
const PROCESSES = ['gateway-1', 'management']
/** The second one without traces shows by how much stacks differ that are alike. */
const SIDES = {
  'no traces': undefined,
  '1 % of requests': '0.01',
  'no traces, again': undefined,
  'all requests': '1',
} as const
type SideName = keyof typeof SIDES
const NAMES = Object.keys(SIDES) as readonly SideName[] // of a literal

interface Side {
  readonly stack: Stack
  /** Sends requests for a while. @returns processor time of one, in seconds */
  readonly round: () => Promise<number>
}

const say = (text: string) => process.stdout.write(`${text}\n`)

/** `pnpm bench:traces`: processor time of gateway and management for a list of projects, by the share of requests that is traced. */
say(`${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, Node ${process.version}`)
let requestsOfCollector = 0
const collector = createServer((request, response) => {
  requestsOfCollector++
  request.resume().on('end', () => response.end('{}'))
})
collector.listen(0, '127.0.0.1')
await once(collector, 'listening')
const endpoint = `http://127.0.0.1:${String((collector.address() as AddressInfo).port)}`

const measured = new Map<SideName, number[]>(NAMES.map((name) => [name, []]))
try {
  for (let number = 0; number < STACKS; number++) await measure(number)
  const baseline = measured.get('no traces') ?? []
  for (const [name, times] of measured) {
    // Each round is compared with the one of the same turn: the machine was equally busy.
    const more = times.map((seconds, turn) => (seconds / (baseline[turn] ?? Number.NaN) - 1) * 100)
    const time = `${(quantile(times, 0.5) * 1e6).toFixed(1).padStart(7)} µs a request`
    const spread = `quartiles ${quantile(more, 0.25).toFixed(1)} to ${quantile(more, 0.75).toFixed(1)}`
    say(`${name.padEnd(20)} ${time}  ${quantile(more, 0.5).toFixed(1).padStart(6)} % (${spread})`)
  }
  say(
    `median of ${String(STACKS * ROUNDS)} rounds of ${String(ROUND_SECONDS)} s by ${String(STACKS)} stacks each, ${String(requestsOfCollector)} batches of spans`,
  )
} finally {
  collector.closeAllConnections()
  collector.close()
}

/** Measures a stack of each side, in turns. */
async function measure(number: number): Promise<void> {
  const sides = new Map<SideName, Side>()
  try {
    // Whichever starts first has the machine to itself.
    for (const index of NAMES.keys()) {
      const name = NAMES[(index + number) % NAMES.length]
      if (name !== undefined) sides.set(name, await startSide(SIDES[name]))
    }
    // The first one compiles.
    for (const { round } of sides.values()) await round().catch(() => undefined)
    for (let turn = 0; turn < ROUNDS; turn++) await measureTurn(sides, turn)
  } finally {
    for (const { stack } of sides.values()) await stack.stop()
  }
}

/** Measures each side once, and again if requests failed: then the machine was busy with something else for seconds. */
async function measureTurn(sides: ReadonlyMap<SideName, Side>, turn: number): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      const times = new Map<SideName, number>()
      // Each begins as often as the others: the machine may become slower or faster meanwhile.
      for (const index of NAMES.keys()) {
        const name = NAMES[(index + turn) % NAMES.length]
        const side = name && sides.get(name)
        if (side) times.set(name, await side.round())
      }
      for (const [name, seconds] of times) measured.get(name)?.push(seconds)
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      say(`a turn is repeated: ${String(error)}`)
    }
}

/** @param share of requests that is traced; undefined: the processes do not trace */
async function startSide(share: string | undefined): Promise<Side> {
  const settings = {
    LOG_LEVEL: 'warn',
    ...(share !== undefined && { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
  }
  const unlimited = { REQUESTS_PER_CREDENTIAL: '1000000000', REQUESTS_PER_ORGANIZATION: '1000000000' }
  const sampled = share === undefined ? {} : { OTEL_TRACES_SAMPLER_ARG: share }
  const stack = await startStack({
    postgres: 'own',
    services: ['identity', 'management'],
    gateways: 1,
    environment: {
      gateway: { ...settings, ...unlimited, ...sampled },
      identity: settings,
      management: settings,
    },
  })
  const { slug, token } = await newOrganization(stack)
  const headers = { Authorization: `Bearer ${token.token}` }
  const load = {
    port: Number(new URL(stack.gatewayUrls[0] ?? '').port),
    requests: [httpRequest('GET', `/api/v0/organizations/${slug}/projects`, headers)],
    connections: CONNECTIONS,
  }
  const round = async () => {
    const before = await processorSeconds(stack)
    const { requests, failures } = await run({ ...load, seconds: ROUND_SECONDS })
    if (failures > 0) throw new Error(`${String(failures)} of ${String(requests)} requests failed`)
    return ((await processorSeconds(stack)) - before) / requests
  }
  return { stack, round }
}

async function processorSeconds(stack: Stack): Promise<number> {
  const texts = await Promise.all(PROCESSES.map((name) => stack.metrics(name)))
  return texts.reduce((sum, text) => sum + Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]), 0)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}
