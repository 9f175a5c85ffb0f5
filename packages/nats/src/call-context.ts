import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from '@bearing/contracts/principal'

/** What belongs to a call apart from its input: it follows the call through every service. */
export interface CallContext {
  readonly requestId: string
  /** W3C trace context, as it came. */
  readonly traceparent?: string | undefined
  /** Address of the HTTP client, for the audit log. */
  readonly clientAddress?: string | undefined
  /** The signed claims that came with the call. */
  readonly claims?: string | undefined
  /** Who calls; undefined for internal operations. */
  readonly principal?: Principal | undefined
  /** When the caller stops waiting: milliseconds since 1970 on this machine's clock. */
  readonly deadlineMs: number
}

const storage = new AsyncLocalStorage<CallContext>()

/** The call that the running code belongs to; undefined outside of one. */
export function currentCall(): CallContext | undefined {
  return storage.getStore()
}

/** Runs code as part of a call. */
export function withinCall<Result>(context: CallContext, run: () => Result): Result {
  return storage.run(context, run)
}
