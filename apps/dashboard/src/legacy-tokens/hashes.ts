/** What is wrong with a text of tokens; the message names no token. */
export class UnusableTokens extends Error {}

/** SHA-256 in hexadecimal. */
const HASH = /^[0-9a-f]{64}$/i

/**
 * Returns the SHA-256 of each line. Tokens themselves do not leave the browser.
 *
 * @param text one token per line; lines that start with # are left out
 * @param isHashed the lines are SHA-256 in hexadecimal already
 * @param max the most tokens
 * @throws UnusableTokens if there is none, if there are too many, or if a line is no hash
 */
export async function hashesOf(text: string, isHashed: boolean, max: number): Promise<string[]> {
  const lines = [
    ...new Set(
      text
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#')),
    ),
  ]
  if (lines.length === 0) throw new UnusableTokens('There is no token.')
  if (lines.length > max)
    throw new UnusableTokens(
      `These are ${String(lines.length)} tokens. Import at most ${String(max)} at a time, or use the command line.`,
    )
  if (!isHashed) return Promise.all(lines.map(sha256))
  const wrong = lines.findIndex((line) => !HASH.test(line))
  if (wrong >= 0)
    throw new UnusableTokens(`Line ${String(wrong + 1)} is not a SHA-256 in hexadecimal (64 digits).`)
  return lines.map((line) => line.toLowerCase())
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
