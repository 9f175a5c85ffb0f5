import { presetOf, TOKEN_PRESET_NAMES, TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'

/** Purposes of most tokens, under the names of the API and the command line. */
export const PRESETS = TOKEN_PRESET_NAMES.map((id) => ({ id, ...TOKEN_PRESETS[id] }))

/** Returns what a token can do, in few words. */
export function wordsFor(permissions: readonly string[]): string {
  const preset = presetOf(permissions)
  if (preset) return TOKEN_PRESETS[preset].text
  return permissions.length === 1 ? (permissions[0] ?? '') : `${String(permissions.length)} permissions`
}
