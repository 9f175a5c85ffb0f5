import { useEffect, useRef, useState } from 'react'
import { isSignedOut } from '../ground/client.js'
import { signedOut } from '../ground/signed-out.js'

/** Calls that are under way at a time. */
const AT_A_TIME = 4

export interface Batch {
  readonly state: 'ready' | 'running' | 'ended'
  readonly done: readonly string[]
  readonly failed: readonly { readonly item: string; readonly error: unknown }[]
  readonly start: () => Promise<void>
  /** Ends it after the calls that are under way. */
  readonly stop: () => void
}

/** Does the same with each of several things. One that fails does not affect the others. */
export function useBatch(items: readonly string[], act: (item: string) => Promise<void>): Batch {
  const [state, setState] = useState<Batch['state']>('ready')
  const [done, setDone] = useState<Batch['done']>([])
  const [failed, setFailed] = useState<Batch['failed']>([])
  const isStopped = useRef(false)
  // Leaving the page stops it.
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const start = async () => {
    setState('running')
    const rest = [...items]
    const work = async () => {
      for (let item = rest.shift(); item !== undefined && !isStopped.current; item = rest.shift()) {
        const one = item
        try {
          await act(one)
          setDone((before) => [...before, one])
        } catch (error) {
          setFailed((before) => [...before, { item: one, error }])
          if (!isSignedOut(error)) continue
          signedOut.set(true)
          return
        }
      }
    }
    await Promise.all(Array.from({ length: AT_A_TIME }, work))
    setState('ended')
  }
  return {
    state,
    done,
    failed,
    start,
    stop: () => {
      isStopped.current = true
    },
  }
}
