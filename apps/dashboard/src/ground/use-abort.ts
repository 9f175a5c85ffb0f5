import { useEffect, useRef, type RefObject } from 'react'

/** Returns what stops the work of a component. Leaving its page stops it too. */
export function useAbort(): RefObject<AbortController> {
  const abort = useRef(new AbortController())
  useEffect(() => () => abort.current.abort(), [])
  return abort
}
