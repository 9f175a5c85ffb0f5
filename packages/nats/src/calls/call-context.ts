import { AsyncLocalStorage } from 'node:async_hooks'
import type { Principal } from '@bearing/contracts/principal'

/** Properties of a call apart from its input: they follow it through every service. */
export interface CallContext {
  readonly requestId: string
  /** W3C trace context, as it came. */
  readonly traceparent?: string | undefined
  /** Address of the HTTP client, for the audit log. */
  readonly clientAddress?: string | undefined
  /** The signed claims that came with the call. */
  readonly claims?: string | undefined
  /** The caller; undefined for internal operations. */
  readonly principal?: Principal | undefined
  /** The organization that the call is about, where its input names one. */
  readonly organizationId?: string | undefined
  /** Time at which the caller stops waiting, in milliseconds since 1970 on this machine's clock. */
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

/** Runs work that several calls wait for: it gets a time of its own, whichever call came first. */
export function withOwnTime<Result>(timeoutMs: number, run: () => Result): Result {
  const call = currentCall()
  return call ? withinCall({ ...call, deadlineMs: Date.now() + timeoutMs }, run) : run()
}

/** Runs work that belongs to no call, such as a background job that a call has requested. */
export function outsideCalls<Result>(run: () => Result): Result {
  return storage.exit(run)
}

/** Returns the time that the caller still waits, in milliseconds; `Infinity` outside of a call. */
export function remainingMs(): number {
  const call = currentCall()
  return call ? call.deadlineMs - Date.now() : Infinity
}
