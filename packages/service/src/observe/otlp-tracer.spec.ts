import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import { pino } from 'pino'
import { Metrics } from './metrics.js'
import { OtlpTracer } from './otlp-tracer.js'
import { MOST_WAITING } from './span-queue.js'

const SPANS = 5_000

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Starts a collector that answers with a status, or with 0 never. */
async function collector(status: number): Promise<string> {
  server = createServer((request, response) => {
    request.resume()
    if (status > 0)
      response.writeHead(status, { 'retry-after': '60' }).end('{"message":"a secret of the collector"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}

function record(endpoint: string, log: string[] = []) {
  const metrics = new Metrics()
  const logger = pino({ level: 'warn' }, { write: (line: string) => log.push(line) })
  const tracer = new OtlpTracer({ service: 'bearing-spec', endpoint, headers: {} }, metrics, logger)
  for (let span = 0; span < SPANS; span++)
    tracer.start({ name: 'spec', kind: 'client', attributes: {} }).end()
  const counted = async () => {
    const { values } = await (metrics.registry.getSingleMetric('bearing_trace_spans_total')?.get() ??
      Promise.reject(new Error('no such metric')))
    return new Map(values.map(({ labels, value }) => [String(labels['outcome']), value]))
  }
  return { tracer, counted }
}

describe('spans', () => {
  it('beyond those that may wait are dropped and counted while the collector hangs, and shutdown does not wait for it', async () => {
    const { tracer, counted } = record(await collector(0))
    expect(await counted()).toEqual(new Map([['dropped', SPANS - MOST_WAITING]]))
    const started = performance.now()
    await tracer.close(200)
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  it('that the collector refuses are counted, and the log does not say what it answered', async () => {
    const log: string[] = []
    const { tracer, counted } = record(await collector(400), log)
    await tracer.close(10_000)
    expect((await counted()).get('failed')).toBe(MOST_WAITING)
    expect(log.join('')).toContain('traces cannot be sent')
    expect(log.join('')).not.toContain('secret')
  })

  it('that the collector takes are counted', async () => {
    const { tracer, counted } = record(await collector(200))
    await tracer.close(10_000)
    expect((await counted()).get('exported')).toBe(MOST_WAITING)
  })
})
