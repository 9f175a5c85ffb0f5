import { useSyncExternalStore } from 'react'

interface Pending {
  readonly answer: Promise<boolean>
  readonly settle: (isProven: boolean) => void
}

let pending: Pending | undefined
const listeners = new Set<() => void>()

function change(next: Pending | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}

/** Asks the user for a proof, because the server refused a change without one. The shell shows the question over the page. */
export const proofRequest = {
  /** Returns whether the user gave the proof. Concurrent changes share one question. */
  ask(): Promise<boolean> {
    if (pending) return pending.answer
    let settle: Pending['settle'] = () => undefined
    const answer = new Promise<boolean>((resolve) => {
      settle = resolve
    })
    change({ answer, settle })
    return answer
  },
  settle(isProven: boolean): void {
    pending?.settle(isProven)
    change(undefined)
  },
}

export function useProofRequest(): boolean {
  return useSyncExternalStore(subscribe, () => pending !== undefined)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
