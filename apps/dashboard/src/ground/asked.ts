import { useSyncExternalStore } from 'react'

/** A dialog that something elsewhere on the screen asks for: `add` is what the main control of the page opens. */
type Asked = 'project' | 'organization' | 'add' | undefined

let value: Asked
const listeners = new Set<() => void>()

/** The dialog that the switcher or the palette asked for. */
export const asked = {
  set(next: Asked): void {
    value = next
    for (const listener of listeners) listener()
  },
}

export function useAsked(): Asked {
  return useSyncExternalStore(subscribe, () => value)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
