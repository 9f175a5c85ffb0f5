import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { BearingClient } from './client.js'
import type { ClientOptions, Exchange } from './client-options.js'
import { ProblemError, UnexpectedReplyError, UnreachableError, UnusableInputError } from './errors.js'

const ID = '0190a0a0-0000-7000-8000-000000000001'
const project = (slug: string) => ({ id: ID, slug, name: slug, created_at: '2026-01-31T09:00:00.000Z' })

interface Received {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

let server: Server
let url: string
let received: Received[]
/** Answers a request in place of the server; each test sets its own. */
let answer: (request: Received, response: ServerResponse) => void

beforeEach(async () => {
  received = []
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: target = '', headers } = request
      const seen = { method, url: target, headers, body: Buffer.concat(chunks).toString() }
      received.push(seen)
      answer(seen, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response
    .writeHead(status, { 'content-type': type, 'x-request-id': 'req-1', ...headers })
    .end(JSON.stringify(body))
}

/** Lets the server answer every request so. */
function answers(...reply: [status: number, body: unknown, headers?: Record<string, string>]): void {
  answer = (_, response) => {
    json(response, ...reply)
  }
}

function client(options: Partial<ClientOptions> = {}): BearingClient {
  return new BearingClient({ url, credential: { kind: 'organization_token', token: 'T0k' }, ...options })
}

const page = (data: unknown[], number = 1, count = 1) => ({
  data,
  paging: {
    page: number,
    per_page: 10_000,
    page_count: count,
    item_count: data.length,
    total_count: data.length,
  },
})

describe('a call', () => {
  it('puts slugs into the path and the rest of a GET into the query', async () => {
    answers(200, page([project('a')]))
    const reply = await client().call('listProjects', { organization: 'acme', per_page: 10 })
    expect(reply.data.map(({ slug }) => slug)).toEqual(['a'])
    expect(received[0]).toMatchObject({
      method: 'GET',
      url: '/api/v0/organizations/acme/projects?per_page=10',
    })
  })

  it('puts the rest of other methods into a JSON body and unwraps the envelope', async () => {
    answers(201, { data: { ...project('gate'), new_field: true } })
    const created = await client().call('createProject', { organization: 'acme', name: 'Gate' })
    expect(created).toEqual(project('gate'))
    expect(received[0]).toMatchObject({ method: 'POST', body: '{"name":"Gate"}' })
    expect(received[0]?.headers['content-type']).toBe('application/json')
  })

  it('fills other parameters of the path from the field of their name', async () => {
    answers(200, { data: { rows: 1 } })
    const rows: [string, number, number, number | null][] = [['001a2b3c4d5e', 1, 2, -60]]
    await client().call('appendToImport', { organization: 'acme', import_id: ID, batch: 3, rows })
    expect(received[0]).toMatchObject({
      method: 'PUT',
      url: `/v1/organizations/acme/location/access_points/imports/${ID}/batches/3`,
      body: JSON.stringify({ rows }),
    })
  })

  it('goes to the location service where the path begins with /v1/', async () => {
    answer = (_, response) => {
      const counts = { received: 1, usable: 1, known: 1, used: 1 }
      json(response, 200, { lat: 1, lon: 2, uncertainty: 30, fulfilledWith: 'WIFI', accessPoints: counts })
    }
    const accessPoints = [{ macAddress: '00:1a:2b:3c:4d:5e', signalStrength: -60 }]
    const both = client({ url: 'http://127.0.0.1:9', locationUrl: `${url}/prefix/` })
    const location = await both.call('resolveWifiLocation', { organization: 'o', project: 'p', accessPoints })
    expect(location?.lat).toBe(1)
    expect(received[0]?.url).toBe('/prefix/v1/organizations/o/projects/p/location/wifi')
  })

  it('is undefined if the reply has no body', async () => {
    answer = (_, response) => {
      response.writeHead(204).end()
    }
    const asked = { organization: 'o', project: 'p', accessPoints: [], reply: false }
    expect(await client().call('resolveWifiLocation', asked)).toBeNull()
  })

  it.each(['', '.', '..'])('refuses the slug "%s", which would change the path', async (organization) => {
    await expect(client().call('listProjects', { organization })).rejects.toThrow(UnusableInputError)
    expect(received).toEqual([])
  })

  it('reads every page of a list', async () => {
    answer = ({ url: target }, response) => {
      const number = Number(new URLSearchParams(target.split('?')[1]).get('page'))
      json(response, 200, page([project(`p${String(number)}`)], number, 3))
    }
    const projects = await client().listAll('listProjects', { organization: 'acme' })
    expect(projects.map(({ slug }) => slug)).toEqual(['p1', 'p2', 'p3'])
    expect(received[2]?.url).toContain('page=3&per_page=10000')
  })
})

describe('a credential', () => {
  beforeEach(() => {
    answers(200, page([]))
  })

  it('is sent as Bearer where it is an organization token', async () => {
    await client().call('listOrganizations', {})
    expect(received[0]?.headers.authorization).toBe('Bearer T0k')
  })

  it('is sent as Basic in UTF-8 where it is of a user', async () => {
    await client({ credential: { kind: 'user', email: 'zoë@example.com', secret: 'pä:ss' } }).call(
      'listOrganizations',
      {},
    )
    const basic = Buffer.from('zoë@example.com:pä:ss', 'utf8').toString('base64')
    expect(received[0]?.headers.authorization).toBe(`Basic ${basic}`)
  })

  it('is sent in its own header, and nowhere else, where it is a project key', async () => {
    await client({ credential: { kind: 'project_key', key: 'a'.repeat(32) } }).call('listOrganizations', {})
    expect(received[0]?.headers['service-project-key']).toBe('a'.repeat(32))
    expect(received[0]?.headers.authorization).toBeUndefined()
  })

  it('that no header can carry is refused without being repeated', () => {
    for (const token of ['top secret', 'top\nsecret', 'töp-secret', ''])
      expect(() => client({ credential: { kind: 'organization_token', token } })).toThrow(
        expect.objectContaining({
          name: 'UnusableInputError',
          message: expect.not.stringContaining('secret'),
        }),
      )
  })

  it('in the address is refused without being repeated', () => {
    expect(() => client({ url: 'https://root:secret@example.com' })).toThrow(
      expect.objectContaining({ name: 'UnusableInputError', message: expect.not.stringContaining('secret') }),
    )
  })

  it('over plain http to another machine is warned about, but not to this one', () => {
    const warnings: string[] = []
    const onWarning = (message: string): void => void warnings.push(message)
    client({ onWarning })
    client({ url: 'http://localhost:8080', onWarning })
    client({ url: 'https://bearing.example.com', onWarning })
    expect(warnings).toEqual([])
    client({ url: 'http://bearing.example.com', onWarning })
    expect(warnings).toHaveLength(1)
  })

  it('does not follow a redirect', async () => {
    answer = (request, response) => {
      if (request.url === '/elsewhere') json(response, 200, page([]))
      else response.writeHead(307, { location: '/elsewhere?token=x' }).end()
    }
    const call = client().call('listOrganizations', {})
    await expect(call).rejects.toMatchObject({ name: 'UnexpectedReplyError', status: 307 })
    expect(received).toHaveLength(1)
  })
})

describe('a refusal', () => {
  it('is a ProblemError with everything the server said', async () => {
    const errors = [{ pointer: '/name', detail: 'is too long' }]
    answer = (_, response) => {
      json(response, 400, {
        type: 'https://x/e',
        title: 'T',
        detail: 'D',
        code: 'invalid_input',
        request_id: 'other',
        errors,
      })
    }
    const error = await client()
      .call('createOrganization', { name: 'x' })
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(ProblemError)
    expect(error).toMatchObject({
      message: 'D',
      code: 'invalid_input',
      status: 400,
      requestId: 'req-1',
      mistakes: errors,
    })
  })

  it('with a code of a newer server stays readable', async () => {
    answers(418, { title: 'Teapot', code: 'teapot', errors: 'nonsense' })
    await expect(client().call('whoAmI', {})).rejects.toMatchObject({
      code: 'teapot',
      message: 'Teapot',
      mistakes: [],
    })
  })

  it('says when to try again', async () => {
    answers(503, { title: 'T', code: 'overloaded' }, { 'retry-after': '7' })
    await expect(client().call('whoAmI', {})).rejects.toMatchObject({ retryAfter: 7 })
    expect(received).toHaveLength(1)
  })
})

describe('a repetition', () => {
  const busyOnce = (retryAfter: string) => (_: Received, response: ServerResponse) => {
    if (received.length === 1)
      json(response, 503, { title: 'T', code: 'overloaded' }, { 'retry-after': retryAfter })
    else json(response, 200, page([]))
  }

  it('is made once for a GET whose reply asks to come back soon', async () => {
    answer = busyOnce('0')
    await client().call('listOrganizations', {})
    expect(received).toHaveLength(2)
  })

  it('is never made for a POST', async () => {
    answer = busyOnce('0')
    await expect(client().call('createOrganization', { name: 'x' })).rejects.toThrow(ProblemError)
    expect(received).toHaveLength(1)
  })

  it('is abandoned when the caller ends the call', async () => {
    answer = busyOnce('2')
    const ended = new Error('ended')
    const controller = new AbortController()
    const onExchange = (): void => {
      setTimeout(() => {
        controller.abort(ended)
      }, 20)
    }
    const call = client({ onExchange }).call('listOrganizations', {}, { signal: controller.signal })
    await expect(call).rejects.toBe(ended)
    expect(received).toHaveLength(1)
  })
})

describe('no answer', () => {
  it('from nobody listening is an UnreachableError that names the address', async () => {
    await new Promise((resolve) => server.close(resolve))
    const error = await client()
      .call('whoAmI', {})
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(UnreachableError)
    expect(String(error)).toContain(`${url} cannot be reached (ECONNREFUSED)`)
  })

  it('in time is an UnreachableError, also where the body stalls', async () => {
    for (const stall of [
      () => undefined,
      (_: Received, response: ServerResponse) => void response.writeHead(200).write('{'),
    ]) {
      answer = stall
      await expect(client({ timeoutMs: 100 }).call('whoAmI', {})).rejects.toMatchObject({ reason: 'timeout' })
    }
  })

  it('that is complete is an UnreachableError', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{')
      setTimeout(() => response.destroy(), 20)
    }
    await expect(client().call('whoAmI', {})).rejects.toMatchObject({ reason: 'network' })
  })
})

describe('an answer that is not of Bearing', () => {
  it('shows what a proxy in between says', async () => {
    answer = (_, response) =>
      void response
        .writeHead(502, { 'content-type': 'text/html; charset=utf-8' })
        .end('<html><style>p{}</style><h1>Bad Gateway</h1></html>')
    const error = await client()
      .call('whoAmI', {})
      .catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(UnexpectedReplyError)
    expect(String(error)).toContain('text/html')
    expect(String(error)).toContain('It says: Bad Gateway')
  })

  it('is distinguished from one: a JSON error without a code, a body of another shape', async () => {
    answers(404, { message: 'no route' })
    await expect(client().call('whoAmI', {})).rejects.toThrow('not from Bearing')
    answers(200, { data: { kind: 7 } })
    await expect(client().call('whoAmI', {})).rejects.toThrow('does not match the contract at "kind"')
  })
})

it('reports every exchange, without a header or a body', async () => {
  const exchanges: Exchange[] = []
  answer = (_, response) => {
    json(response, 200, page([]))
  }
  await client({ onExchange: (exchange) => void exchanges.push(exchange) }).call('listOrganizations', {})
  expect(exchanges).toEqual([
    {
      method: 'GET',
      url: `${url}/api/v0/organizations`,
      status: 200,
      requestId: 'req-1',
      durationMs: expect.any(Number),
    },
  ])
})

describe('a change by a browser session that another sign-in has replaced', () => {
  const OTHER = '0190a0a0-0000-7000-8000-000000000002'
  const session = {
    ...{ id: ID, methods: ['pwd'], address: null, user_agent: null, current: true, csrf_token: 'new' },
    created_at: '2026-01-31T09:00:00.000Z',
    last_seen_at: '2026-01-31T09:00:00.000Z',
    expires_at: '2026-01-31T19:00:00.000Z',
  }
  const user = (id: string) => ({
    ...{
      kind: 'user',
      user_id: id,
      email: 'ada@example.com',
      credential_id: ID,
      proof: 'session',
      grants: [],
    },
  })
  /** Answers as a gateway where the user has signed in again, with the token "new". */
  const answerAs = (id: string) => (request: Received, response: ServerResponse) => {
    if (request.url === '/auth/me') json(response, 200, { data: user(id) })
    else if (request.url === '/auth/session') json(response, 200, { data: session })
    else if (request.headers['x-csrf-token'] === 'new') json(response, 201, { data: project('new') })
    else json(response, 403, { code: 'csrf_refused', title: 'Refused', status: 403, detail: 'No.' })
  }
  const create = (caller: BearingClient) =>
    caller.call('createProject', { organization: 'acme', name: 'New' })

  it('is repeated with the new token for the same user', async () => {
    const caller = client({ credential: { kind: 'session', csrfToken: 'old' } })
    answer = answerAs(ID)
    await caller.call('whoAmI', {})
    expect(await create(caller)).toMatchObject({ slug: 'new' })
  })

  it('is not made in the name of another user', async () => {
    const caller = client({ credential: { kind: 'session', csrfToken: 'old' } })
    answer = answerAs(ID)
    await caller.call('whoAmI', {})
    answer = answerAs(OTHER)
    await expect(create(caller)).rejects.toMatchObject({ code: 'csrf_refused' })
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
    // Nor if it is tried again.
    await expect(create(caller)).rejects.toMatchObject({ code: 'csrf_refused' })
    for (const { method, headers } of received)
      if (method === 'POST') expect(headers['x-csrf-token']).not.toBe('new')
  })

  it('is made with the token that is read before the first change, so none is refused', async () => {
    const caller = client({ credential: { kind: 'session' } })
    answer = answerAs(ID)
    await caller.call('whoAmI', {})
    expect(await create(caller)).toMatchObject({ slug: 'new' })
    expect(received.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})
