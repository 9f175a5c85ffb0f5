import { startSpan, traceWith, type SpanStart } from '@bearing/nats/tracing'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { FastifyRequest } from 'fastify'
import { RequestTraces } from './request-traces.js'

const CLIENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7'
const OWN = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`

let started: SpanStart[]
beforeEach(() => {
  started = []
  traceWith({
    start: (span) => {
      started.push(span)
      return { traceparent: OWN, end: () => undefined }
    },
  })
})
afterEach(() => {
  traceWith(undefined)
})

function begin(traces: RequestTraces, traceparent?: string): FastifyRequest {
  const request = { method: 'GET', headers: { traceparent } } as unknown as FastifyRequest // the members that are read
  traces.begin(request)
  return request
}

describe('the trace of a request', () => {
  it('is recorded if the gateway decides so, whatever the client says, and refers to the trace of the client', () => {
    for (const flags of ['00', '01', 'ff']) {
      const request = begin(new RequestTraces(1), `${CLIENT}-${flags}`)
      expect([request.traceparent, request.clientTrace]).toEqual([OWN, `${CLIENT}-00`])
      expect(started.pop()).toMatchObject({ link: `${CLIENT}-00` })
    }
  })

  it('is not recorded if the gateway decides so, and neither is anything that it causes', () => {
    const request = begin(new RequestTraces(0.01, () => 0.01), `${CLIENT}-01`)
    expect([request.traceparent, request.span]).toEqual([`${CLIENT}-00`, undefined])
    expect(
      startSpan(request.traceparent, () => ({ name: 'x', kind: 'client', attributes: {} })),
    ).toBeUndefined()
    expect(started).toEqual([])
  })

  it('is new if the client sends none', () => {
    const first = begin(new RequestTraces(0)).traceparent
    expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(begin(new RequestTraces(0), 'nonsense').traceparent).not.toBe(first)
  })

  it.each([
    [0.5, 0.4, true],
    [0.5, 0.6, false],
    [1, 0.999, true],
    [0, 0, false],
  ] as const)('is recorded for a share of %d', (share, chance, isRecorded) => {
    expect(begin(new RequestTraces(share, () => chance)).span !== undefined).toBe(isRecorded)
  })
})
