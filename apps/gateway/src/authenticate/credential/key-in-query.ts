import { MAX_SECRET_LENGTH } from '@bearing/contracts/identity/credentials/credential'
import type { Presented } from './parse-credential.js'

/**
 * Returns the project key of a URL (`?key=`), as clients of geolocation services send it. The URL is never logged.
 *
 * @param query parameters as parsed; a repeated one is an array
 */
export function keyInQuery({ key }: Readonly<Record<string, unknown>>): Presented | undefined {
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > MAX_SECRET_LENGTH)
    return { outcome: 'malformed', of: 'project_key', detail: 'The key is empty, too long, or sent twice.' }
  return { outcome: 'one', credential: { kind: 'project_key', key } }
}
