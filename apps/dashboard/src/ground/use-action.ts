import { useState } from 'react'
import { isSignedOut } from './client.js'
import { signedOut } from './signed-out.js'

/** A change that a control starts. */
export interface Action<Arguments extends unknown[]> {
  readonly isPending: boolean
  /** Why it failed last; undefined while it runs and after success. */
  readonly error: unknown
  /** Starts it. Never rejects: the error is in `error`. Returns whether it succeeded. */
  readonly run: (...input: Arguments) => Promise<boolean>
  readonly reset: () => void
}

/** Runs a change and keeps its error. Keeps no result, because results may be secrets: the change itself passes them on. */
export function useAction<Arguments extends unknown[]>(
  change: (...input: Arguments) => Promise<void>,
): Action<Arguments> {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    isPending,
    error,
    run: async (...input) => {
      setPending(true)
      setError(undefined)
      try {
        await change(...input)
        return true
      } catch (caught) {
        if (isSignedOut(caught)) signedOut.set(true)
        setError(caught)
        return false
      } finally {
        setPending(false)
      }
    },
    reset: () => {
      setError(undefined)
    },
  }
}
