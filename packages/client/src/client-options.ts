/** A browser session, for pages that the gateway serves: the browser sends the cookie. */
export interface SessionCredential {
  readonly kind: 'session'
  /** The CSRF token that signing in or `GET /auth/session` returned. Left out: the client reads it when it is needed. */
  readonly csrfToken?: string | undefined
}

/** The session of a command line, for programs: its token is sent as bearer token. */
export interface LoginCredential {
  readonly kind: 'login'
  readonly token: string
}

/** The credential of a program. */
export type ClientCredential =
  | { readonly kind: 'organization_token' | 'legacy_token'; readonly token: string }
  | { readonly kind: 'user'; readonly email: string; readonly secret: string }
  | { readonly kind: 'project_key'; readonly key: string }
  /** A token that a device has signed, and the project key if it is sent too. */
  | { readonly kind: 'device_token'; readonly token: string; readonly project_key?: string | undefined }

/** One HTTP request and its outcome. Holds no header and no body, so it can be logged. */
export interface Exchange {
  readonly method: string
  readonly url: string
  /** Undefined where no answer came. */
  readonly status?: number
  readonly requestId?: string
  readonly durationMs: number
}

export interface ClientOptions {
  /** Address of the management API, such as `https://bearing.example.com`. */
  readonly url: string
  /** Address of the location service (paths below `/v1/`) (default: `url`). */
  readonly locationUrl?: string | undefined
  /** The credential of the caller. Without it every call is answered with 401. */
  readonly credential?: ClientCredential | LoginCredential | SessionCredential | undefined
  /** Sends the requests (default: the global `fetch`). */
  readonly fetch?: typeof globalThis.fetch
  /** Time to wait for an answer, in milliseconds (default: the operation's own time and 10 s). */
  readonly timeoutMs?: number | undefined
  /** `User-Agent`. Browsers send their own. */
  readonly userAgent?: string | undefined
  /** Ends every call of this client; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Called after every request. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
  /**
   * Called if the server refuses a call with `recent_sign_in_required`: asks the user for a proof and confirms the session with it
   * (`confirmSession`). If it returns true, the call is sent again, once.
   */
  readonly prove?: (() => Promise<boolean>) | undefined
  /** Called with a sentence where something is allowed but dangerous, such as a secret over plain http. */
  readonly onWarning?: ((message: string) => void) | undefined
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, and the wait before a repetition; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** The body, where it is bytes and no JSON. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
  /** Key of a call that may be repeated without doing anything twice, if the route accepts such keys. */
  readonly idempotencyKey?: string | undefined
}

/** A request that is sent as it is. */
export interface RawRequest {
  /** `GET` or another method of HTTP, in capitals. */
  readonly method: string
  /** Path and query, such as `/api/v0/organizations?page=2`. */
  readonly target: string
  readonly body?: Uint8Array<ArrayBuffer> | undefined
  readonly contentType?: string | undefined
}

/** Options of a list. */
export interface ListOptions extends CallOptions {
  readonly limit?: number | undefined
}
