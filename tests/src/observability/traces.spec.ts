import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@bearing/local/ports'
import { startProcess } from '@bearing/local/process'
import { eventually } from '@bearing/testing/eventually'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { startStack, type Stack } from '@bearing/testing/stack'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { send } from '../tools/http.js'
import { OtlpReceiver, type ReceivedSpan } from '../tools/otlp-receiver.js'
import { ROOT } from '../tools/root.js'

const SECRET_HEADER = 'a-key-of-the-collector'
const CLIENT_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PATIENCE = { withinMs: 30_000, everyMs: 100 }

describe('traces', () => {
  let collector: OtlpReceiver
  let stack: Stack
  let own: TestOrganization

  beforeAll(async () => {
    collector = await OtlpReceiver.start()
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${SECRET_HEADER}`,
    }
    stack = await startStack({
      gateways: 1,
      environment: {
        gateway: { ...environment, OTEL_TRACES_SAMPLER_ARG: '1' },
        identity: environment,
        management: environment,
        location: environment,
      },
    })
    own = await newOrganization(stack)
  })

  afterAll(async () => {
    await stack.stop()
    await collector.stop()
  })

  /** Sends a request and returns its spans, once they are as expected. */
  async function traceOf(
    path: string,
    headers: Readonly<Record<string, string>>,
    expected: (spans: readonly ReceivedSpan[]) => void,
  ): Promise<readonly ReceivedSpan[]> {
    // A trace that a request belongs to is found by a link that no other request has.
    const link = randomUUID().replaceAll('-', '')
    const traceparent = `00-${link}-00f067aa0ba902b7-01`
    await send(stack.gatewayUrls[0] ?? '', 'GET', path, {
      credential: own.token.credential,
      headers: { traceparent, ...headers },
    })
    const wanted = headers['traceparent']?.split('-')[1] ?? link
    return eventually(() => {
      const root = collector.spans.find(({ links }) => links.includes(wanted))
      const spans = collector.spans.filter(({ traceId }) => traceId === root?.traceId)
      expected(spans)
      return spans
    }, PATIENCE)
  }
  const projects = () => `/api/v0/organizations/${own.slug}/projects`
  const layersOf = (spans: readonly ReceivedSpan[]) => {
    const root = spans.find(({ parent }) => parent === undefined)
    const call = spans.find(({ name, kind }) => name === 'management.v1.project.list' && kind === 'client')
    const handler = spans.find(({ parent }) => parent === call?.spanId)
    const statements = spans.filter(({ parent }) => parent === handler?.spanId)
    return { root, call, handler, statements }
  }

  it('lead from the request over NATS and the handler to each statement, each below the one before', async () => {
    await traceOf(projects(), {}, (spans) => {
      const { root, call, handler, statements } = layersOf(spans)
      expect(root).toMatchObject({
        service: 'bearing-gateway',
        kind: 'server',
        name: 'GET /api/v0/organizations/:organization/projects',
        attributes: { 'http.response.status_code': 200, 'bearing.organization_id': own.id },
        hasFailed: false,
      })
      expect(call).toMatchObject({ service: 'bearing-gateway', parent: root?.spanId })
      expect(handler).toMatchObject({
        service: 'bearing-management',
        kind: 'server',
        name: 'management.v1.project.list',
        attributes: { 'bearing.organization_id': own.id },
      })
      expect(statements.length).toBeGreaterThan(0)
      for (const statement of statements)
        expect(statement).toMatchObject({
          service: 'bearing-management',
          kind: 'client',
          attributes: { 'db.system.name': 'postgresql' },
        })
      expect(statements.map(({ name }) => name)).toContain('SELECT projects')
    })
  })

  it('of a client are linked and not continued, so that a client adds to no trace of its choice', async () => {
    const traceparent = `00-${CLIENT_TRACE}-00f067aa0ba902b7-01`
    const spans = await traceOf(projects(), { traceparent }, (found) => {
      expect(layersOf(found).handler).toBeDefined()
    })
    expect(spans.map(({ traceId }) => traceId)).not.toContain(CLIENT_TRACE)
    const lines = stack.output().split('\n')
    const line = lines.find((one) => one.includes(`"client_trace_id":"${CLIENT_TRACE}"`)) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({ trace_id: spans[0]?.traceId, msg: 'request' })
  })

  it('of concurrent requests do not mix: each has the statements of its own handler', async () => {
    const one = layersOf(
      await traceOf(projects(), {}, (spans) => {
        expect(layersOf(spans).statements.length).toBeGreaterThan(0)
      }),
    )
    const names = one.statements.map(({ name }) => name).sort()
    const all = await Promise.all(
      Array.from({ length: 40 }, () =>
        traceOf(projects(), {}, (spans) => {
          expect(
            layersOf(spans)
              .statements.map(({ name }) => name)
              .sort(),
          ).toEqual(names)
        }),
      ),
    )
    expect(new Set(all.map(([span]) => span?.traceId)).size).toBe(40)
  })

  it('reach the queue of chunks, and show what was answered', async () => {
    const serial = `D${randomUUID()}`
    await send(stack.gatewayUrls[0] ?? '', 'POST', `/api/v0/chunks/${serial}`, {
      credential: { kind: 'project_key', key: own.project.key },
      headers: { 'content-type': 'application/octet-stream' },
      body: new Uint8Array([1, 2, 3]),
    })
    await eventually(() => {
      const stored = collector.spans.find(({ name }) => name === 'store management.v1.chunk.send')
      const root = collector.spans.find(({ spanId }) => spanId === stored?.parent)
      expect(root).toMatchObject({ attributes: { 'http.response.status_code': 202 } })
    }, PATIENCE)
  })

  it('contain no secret, body, URL or id of a device, whatever a request brings and however it ends', async () => {
    const secret = () => `planted-${randomUUID()}`
    const [bearer, cookie, query, path, body, device] = Array.from({ length: 6 }, secret)
    const gateway = stack.gatewayUrls[0] ?? ''
    await send(gateway, 'GET', `${projects()}?q=${query ?? ''}`, {
      headers: { authorization: `Bearer ${bearer ?? ''}`, cookie: `x=${cookie ?? ''}` },
    })
    await send(gateway, 'GET', `/nowhere/${path ?? ''}`, {})
    const scope = `/api/v0/organizations/${own.slug}/projects/${own.project.slug}`
    await send(gateway, 'POST', projects(), { credential: own.token.credential, body: { name: body } })
    await send(gateway, 'GET', `${scope}/devices/${device ?? ''}`, { credential: own.token.credential })
    await send(gateway, 'POST', '/auth/login', {
      body: { email: `${body ?? ''}@example.com`, password: bearer },
    })
    const before = collector.bodies.length
    await traceOf(projects(), {}, (spans) => {
      expect(layersOf(spans).handler).toBeDefined()
    })
    await eventually(() => {
      expect(collector.spans.filter(({ name }) => name === 'GET').length).toBeGreaterThan(0)
      expect(collector.bodies.length).toBeGreaterThan(before)
    }, PATIENCE)
    const sent = collector.bodies.join('\n')
    const known = [
      own.token.token,
      own.project.key,
      own.admin.apiKey,
      own.admin.password,
      own.admin.email,
      own.slug,
    ]
    for (const planted of [bearer, cookie, query, path, body, device, ...known])
      expect(sent.includes(planted ?? '')).toBe(false)
    expect(collector.headers.every(({ 'x-key': key }) => key === SECRET_HEADER)).toBe(true)
    expect(stack.output()).not.toContain(SECRET_HEADER)
  })

  it('fail no request while the collector hangs or is away', async () => {
    collector.hangs = true
    const ask = () =>
      send(stack.gatewayUrls[0] ?? '', 'GET', projects(), { credential: own.token.credential })
    const replies = await Promise.all(Array.from({ length: 100 }, ask))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    await collector.stop()
    const later = await Promise.all(Array.from({ length: 100 }, ask))
    expect(later.map(({ status }) => status)).toEqual(later.map(() => 200))
    await eventually(async () => {
      expect(await stack.metrics('gateway-1')).toMatch(
        /^bearing_trace_spans_total\{outcome="failed"\} [1-9]/m,
      )
    }, PATIENCE)
    expect(stack.output()).toContain('traces cannot be sent')
    collector = await OtlpReceiver.start()
  })
})

describe('a process without a collector', () => {
  /** Prints each module of OpenTelemetry that is loaded. */
  const WATCH = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      load: (url, context, next) => {
        if (url.includes('opentelemetry')) process.stdout.write('LOADED ' + url + '\\n')
        return next(url, context)
      },
    })`)}`

  async function loadedBy(environment: Readonly<Record<string, string>>): Promise<string[]> {
    const lines: string[] = []
    const [port, healthPort, natsPort] = [await freePort(), await freePort(), await freePort()]
    const gateway = await startProcess({
      name: 'gateway',
      script: join(ROOT, 'apps', 'gateway', 'dist', 'main.js'),
      nodeFlags: ['--import', WATCH],
      env: {
        NATS_URL: `nats://127.0.0.1:${String(natsPort)}`,
        HOST: '127.0.0.1',
        PORT: String(port),
        HEALTH_PORT: String(healthPort),
        ...environment,
      },
      log: (line) => lines.push(line),
    })
    try {
      await eventually(() => {
        expect(lines.join('\n')).toContain('connecting to NATS')
      })
    } finally {
      await gateway.stop()
    }
    // The client of Prometheus loads the API, which does nothing without an SDK.
    return lines.filter((line) => /^LOADED .*@opentelemetry\/(?!api\/)/.test(line))
  }

  it('loads no SDK and no exporter of OpenTelemetry', async () => {
    expect(await loadedBy({})).toEqual([])
    const loaded = await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })
    expect(loaded.length).toBeGreaterThan(3)
  })
})
