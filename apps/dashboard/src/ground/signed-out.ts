import { useSyncExternalStore } from 'react'

let isOut = false
const listeners = new Set<() => void>()

/** True if the session has ended while a page is open. The shell then asks to sign in again, over the page. */
export const signedOut = {
  set(value: boolean): void {
    if (isOut === value) return
    isOut = value
    for (const listener of listeners) listener()
  },
}

export function useSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => isOut)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
