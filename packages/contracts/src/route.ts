import { needsClaims, type Operation } from './operation.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** How a route differs from the usual. */
export interface RouteOptions {
  /** Status of success; 200 unless given. */
  readonly status?: 200 | 201 | 202 | 302
  /**
   * How the reply is wrapped: `data` puts it into `{ "data": … }`; `none` sends it as it is (lists bring their own
   * envelope, and the location service has none).
   */
  readonly envelope?: 'data' | 'none'
  /**
   * A route that devices use. An `Authorization` beside a project key is ignored there, since HTTP clients add one by
   * themselves from `.netrc`; and an unknown project key is 403, because devices throw their key away on 401.
   */
  readonly device?: boolean
  /** Whether legacy location tokens are accepted. */
  readonly legacyTokens?: boolean
  /** Largest body in bytes; 64 KiB unless given, 8 KiB where anybody may ask. */
  readonly bodyLimit?: number
  /** Whether the gateway has a controller of its own for it, because HTTP is special there: cookies, redirects. */
  readonly byHand?: boolean
  /** The body is bytes and no JSON: what the operation takes besides the path stands in the query. */
  readonly bytes?: boolean
  /** The reply is bytes and no JSON. */
  readonly download?: boolean
  /**
   * The reply is NDJSON without an end that is known in advance: the operation gives `data` and `next`, and is called
   * again with `cursor` as long as there is a next.
   */
  readonly stream?: boolean
  /** Whether the header `Idempotency-Key` is the input field `idempotency_key`. */
  readonly idempotencyKey?: boolean
  /** Whether the operation may give null, which is answered 204. */
  readonly mayBeEmpty?: boolean
  /**
   * `geolocation`: for clients of public geolocation services. The project is that of the project key, which may be
   * `?key=` of the URL, as those clients send it; and errors have the shape that they read.
   */
  readonly dialect?: 'bearing' | 'geolocation'
  /** Input that the address stands for, over what comes with the request. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Whether the address itself proves that the caller may: what else they are, and how often they ask, does not matter. */
  readonly signedAddress?: boolean
}

/** One line of the HTTP surface. */
export interface Route<O extends Operation = Operation> {
  readonly method: Method
  /**
   * Path with parameters. `:organization` and `:project` are slugs, resolved to the input fields `organization_id` and
   * `project_id`; every other parameter fills the input field of its own name.
   */
  readonly path: string
  readonly operation: O
  readonly status: 200 | 201 | 202 | 302
  readonly envelope: 'data' | 'none'
  readonly device: boolean
  readonly legacyTokens: boolean
  readonly bodyLimit: number
  readonly byHand: boolean
  readonly bytes: boolean
  readonly download: boolean
  readonly stream: boolean
  readonly idempotencyKey: boolean
  readonly mayBeEmpty: boolean
  readonly dialect: 'bearing' | 'geolocation'
  readonly fixed: Readonly<Record<string, unknown>>
  readonly signedAddress: boolean
}

/** Bytes of a kibibyte. */
export const KIB = 1024

/** What the paths of an organization's things begin with. */
export const ORGANIZATION = '/api/v0/organizations/:organization'
/** What the paths of a project's things begin with. */
export const PROJECT = `${ORGANIZATION}/projects/:project`

/** Makes a line of the table. */
export function route<O extends Operation>(
  method: Method,
  path: string,
  operation: O,
  options: RouteOptions = {},
): Route<O> {
  return {
    method,
    path,
    operation,
    status: 200,
    envelope: 'data',
    device: false,
    legacyTokens: false,
    byHand: false,
    bytes: false,
    download: false,
    bodyLimit: (needsClaims(operation.permission) ? 64 : 8) * KIB,
    stream: false,
    idempotencyKey: false,
    mayBeEmpty: false,
    dialect: 'bearing',
    fixed: {},
    signedAddress: false,
    ...options,
  }
}
