import type { Part } from './part.js'

/** As NATS says it to a client. In a log the quotes are escaped. */
const REFUSAL = /Permissions Violation for ([A-Z][A-Za-z ]+) \\?"([^"\\]+)/g
const MOST_LISTED = 10

/**
 * Makes sure that NATS has refused services nothing. They log it immediately, whatever becomes of what they wanted to do: what is
 * done in the background fails nowhere else. The log of NATS itself also has what suites were refused on purpose.
 *
 * @throws where it has, with each refusal once, such as `management: Publish to $JS.API.STREAM.INFO.CHUNKS`
 */
export function requireNoRefusals(parts: readonly Part[]): void {
  const refusals = new Set(
    parts.flatMap((part) =>
      [...part.output().matchAll(REFUSAL)].map(
        ([, what = '', subject = '']) => `${part.name}: ${what} ${subject}`,
      ),
    ),
  )
  if (refusals.size === 0) return
  const listed = [...refusals].slice(0, MOST_LISTED)
  if (refusals.size > MOST_LISTED) listed.push(`and ${refusals.size - MOST_LISTED} more`)
  throw new Error(`NATS has refused services what they need: ${listed.join('; ')}`)
}
