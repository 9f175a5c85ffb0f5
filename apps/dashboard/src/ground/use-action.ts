import { useRef, useState } from 'react'
import { isSignedOut } from './client.js'
import { queryClient } from './query-client.js'
import { signedOut } from './signed-out.js'

/** A change that a control starts. */
export interface Action<Arguments extends unknown[]> {
  readonly isPending: boolean
  /** The last error; undefined while it runs and after success. */
  readonly error: unknown
  /** Starts it, unless the same is under way. Never rejects: the error is in `error`. Returns whether it succeeded. */
  readonly run: (...input: Arguments) => Promise<boolean>
  readonly reset: () => void
}

/** Runs a change and keeps its error. Keeps no result, because results may be secrets: the change itself passes them on. */
export function useAction<Arguments extends unknown[]>(
  change: (...input: Arguments) => Promise<void>,
): Action<Arguments> {
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  const running = useRef(new Set<string>())
  return {
    isPending,
    error,
    run: async (...input) => {
      // Enter in a form of one field submits it again while its button is pending.
      const same = JSON.stringify(input)
      if (running.current.has(same)) return false
      running.current.add(same)
      setPending(true)
      setError(undefined)
      try {
        await change(...input)
        // The change may have settled something that the home page names.
        void queryClient.invalidateQueries({ queryKey: ['attention'] })
        return true
      } catch (caught) {
        if (isSignedOut(caught)) signedOut.set(true)
        setError(caught)
        return false
      } finally {
        running.current.delete(same)
        setPending(false)
      }
    },
    reset: () => setError(undefined),
  }
}
