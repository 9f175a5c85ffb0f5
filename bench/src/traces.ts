import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpus } from 'node:os'
import { newOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { httpRequest, run } from './load.js'

const ROUNDS = 24
const ROUND_SECONDS = 2
const CONNECTIONS = 16
const PROCESSES = ['gateway-1', 'management']
/** The second one without traces shows by how much two stacks differ that are alike. */
const SIDES = {
  'no traces': undefined,
  '1 % of requests': '0.01',
  'no traces, again': undefined,
  'all requests': '1',
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

const sides: { name: string; stack: Stack; measured: number[]; round: () => Promise<number> }[] = []
try {
  for (const [name, share] of Object.entries(SIDES)) {
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
    sides.push({ name, stack, measured: [], round })
  }
  for (const { round } of sides) await round()
  for (let number = 0; number < ROUNDS; number++)
    // Each begins as often as the others: this machine may become slower or faster meanwhile.
    for (const index of sides.keys()) {
      const side = sides[(index + number) % sides.length]
      side?.measured.push(await side.round())
    }
  const [baseline] = sides
  for (const { name, measured } of sides) {
    // Each round is compared with the one of the same turn: the machine was equally busy.
    const more = measured.map(
      (seconds, turn) => (seconds / (baseline?.measured[turn] ?? Number.NaN) - 1) * 100,
    )
    const time = `${(median(measured) * 1e6).toFixed(1).padStart(7)} µs a request`
    const spread = `quartiles ${quantile(more, 0.25).toFixed(1)} to ${quantile(more, 0.75).toFixed(1)}`
    say(`${name.padEnd(20)} ${time}  ${median(more).toFixed(1).padStart(6)} % (${spread})`)
  }
  say(
    `median of ${String(ROUNDS)} rounds of ${String(ROUND_SECONDS)} s, ${String(requestsOfCollector)} batches of spans`,
  )
} finally {
  for (const { stack } of sides) await stack.stop()
  collector.closeAllConnections()
  collector.close()
}

async function processorSeconds(stack: Stack): Promise<number> {
  const texts = await Promise.all(PROCESSES.map((name) => stack.metrics(name)))
  return texts.reduce((sum, text) => sum + Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]), 0)
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN
}
