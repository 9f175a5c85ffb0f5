import type { Route } from '@bearing/contracts/routes'
import { UnusableInputError } from './errors.js'

/** A call as HTTP. */
export interface HttpRequest {
  readonly method: Route['method']
  /** Path and query, beginning with a slash. */
  readonly target: string
  /** JSON, or bytes; undefined where the call has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
}

/**
 * Writes a call as HTTP: parameters of the path go there, what is left goes into the query of a GET or DELETE and into
 * the JSON body of the other methods. Where the body is bytes, it goes into the query too.
 *
 * @throws UnusableInputError where a parameter of the path is missing or cannot stand in a path
 */
export function buildRequest(route: Route, input: Readonly<Record<string, unknown>>): HttpRequest {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = pathSegment(name, rest.get(name))
    rest.delete(name)
    return value
  })
  if (route.method === 'GET' || route.method === 'DELETE' || route.bytes)
    return { method: route.method, target: path + queryString(rest), body: undefined }
  return { method: route.method, target: path, body: JSON.stringify(Object.fromEntries(rest)) }
}

function pathSegment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  // URL parsers resolve "." and "..", percent-encoded too: the call would go somewhere else, credential and all.
  if (text === '' || text === '.' || text === '..')
    throw new UnusableInputError(`The ${name.replaceAll('_', ' ')} is empty or cannot stand in an address.`)
  return encodeURIComponent(text)
}

function queryString(fields: ReadonlyMap<string, unknown>): string {
  const query = new URLSearchParams(
    [...fields].map(([name, value]): [string, string] => [name, String(value)]),
  )
  return query.size > 0 ? `?${query.toString()}` : ''
}
