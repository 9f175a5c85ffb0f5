const KEY = 'bearing-keys'

/** Returns whether shortcuts of single keys are on in this browser. Speech input can press them by accident, so they can be switched off. */
export function areKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off'
  } catch {
    return true
  }
}

export function switchKeys(areOn: boolean): void {
  try {
    if (areOn) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, 'off')
  } catch {
    // Storage is switched off: they stay on.
  }
}
