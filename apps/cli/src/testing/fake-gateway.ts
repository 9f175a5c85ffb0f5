import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { CallOutput } from '@bearing/client/call-types'
import { ERRORS, OperationError } from '@bearing/contracts/errors'
import type { Input } from '@bearing/contracts/operation'
import { ROUTES, type Route, type RouteName } from '@bearing/contracts/routes'

/** An id, different for each number. */
export const id = (number: number) => `0190a0a0-0000-7000-8000-${String(number).padStart(12, '0')}`
export const CREATED_AT = '2026-01-31T09:00:00.000Z'
/** The id of every request to the fake gateway. */
export const REQUEST_ID = 'req-7c1f'

/** An organization token without its secret, as the gateway lists it. */
export const TOKEN = {
  ...{ id: id(9), description: 'ci', permissions: [], created_at: CREATED_AT, created_by: id(4) },
  ...{ expires_at: null, deleted_at: null, leaked_at: null, state: 'active' as const },
  ...{ administers: false, derived_from: null, workload: null },
  ...{ allowed_addresses: [], project_ids: null, last_used: null, replaces: null, replaced_by: null },
}

/** Replies of the fake gateway: one function for each operation of a test. */
export type Answers = {
  [Name in RouteName]?: (
    input: Input<(typeof ROUTES)[Name]['operation']>,
    headers: IncomingHttpHeaders,
  ) => CallOutput<Name> | Promise<CallOutput<Name>>
}

export interface FakeGateway extends AsyncDisposable {
  readonly url: string
  /** Method and target of every request. */
  readonly requests: string[]
}

/**
 * Starts a fake gateway: the real routes, with requests and replies that are checked against the contracts, and answers
 * that the test supplies. Slugs stand for ids that do not matter.
 */
export async function fakeGateway(answers: Answers): Promise<FakeGateway> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`)
    answer(answers, request).then(
      ({ status, body }) => {
        reply(response, status, body)
      },
      (error: unknown) => {
        problem(response, error)
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => {
          resolve()
        })
      }),
  }
}

async function answer(
  answers: Answers,
  request: IncomingMessage,
): Promise<{ status: number; body: unknown }> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://fake')
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, Route][]) {
    const parameters = route.method === request.method ? match(route.path, pathname) : undefined
    // Each function takes the input of its own route, which was just looked up.
    const respond = answers[name] as ((input: unknown, headers: IncomingHttpHeaders) => unknown) | undefined
    if (!parameters || !respond) continue
    const query = [...searchParams].map(([key, value]) => [
      key,
      Number.isNaN(Number(value)) ? value : Number(value),
    ])
    const sent: object =
      request.method === 'GET' || request.method === 'DELETE'
        ? (Object.fromEntries(query) as object)
        : ((await json(request)) as object)
    const input = route.operation.input.safeParse({ ...sent, ...parameters })
    if (!input.success)
      throw new OperationError('invalid_input', 'The input has mistakes.', {
        errors: input.error.issues.map(({ path, message }) => ({
          pointer: `/${path.join('/')}`,
          detail: message,
        })),
      })
    const output = route.operation.output.parse(await respond(input.data, request.headers))
    return { status: route.status, body: route.envelope === 'data' ? { data: output } : output }
  }
  throw new OperationError('route_not_found', 'There is nothing at this address.')
}

function match(path: string, pathname: string): Record<string, string> | undefined {
  const pattern = path.replace(/:([a-z_]+)/g, '(?<$1>[^/]+)')
  const groups = new RegExp(`^${pattern}$`).exec(pathname)
  if (!groups) return undefined
  const { organization, project, ...rest } = groups.groups ?? {}
  return { ...rest, ...(organization && { organization_id: id(1) }), ...(project && { project_id: id(2) }) }
}

function reply(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': REQUEST_ID, ...headers })
    .end(JSON.stringify(body))
}

function problem(response: ServerResponse, error: unknown): void {
  const { code, message, details } =
    error instanceof OperationError
      ? error
      : new OperationError('internal', `The fake gateway failed: ${String(error)}`)
  const { status, title } = ERRORS[code]
  const body = {
    type: `https://errors.example/${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: REQUEST_ID,
  }
  reply(
    response,
    status,
    { ...body, ...details },
    {
      'content-type': 'application/problem+json',
      ...(details.retry_after !== undefined && { 'retry-after': String(details.retry_after) }),
    },
  )
}
