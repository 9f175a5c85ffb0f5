/** Length of a project key in characters. Device SDKs reserve exactly this much. */
export const PROJECT_KEY_LENGTH = 32

/** Returns whether a text has the form of a project key: 32 characters of 0–9 and a–f. */
export function isProjectKey(text: string): boolean {
  return text.length === PROJECT_KEY_LENGTH && /^[0-9a-f]+$/.test(text)
}
