/** Length of a project key in characters. Device SDKs reserve exactly that. */
export const PROJECT_KEY_LENGTH = 32

/**
 * Whether a text can be a project key: 32 characters of 0–9 and a–f.
 *
 * @param text what was presented, of any length
 */
export function isProjectKey(text: string): boolean {
  return text.length === PROJECT_KEY_LENGTH && /^[0-9a-f]+$/.test(text)
}
