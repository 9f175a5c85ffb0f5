import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

const ITERATIONS = 4096
const SALT_BYTES = 16

/**
 * What Postgres stores of a password (RFC 5802, SCRAM-SHA-256). Setting this in place of the password keeps the password
 * itself out of the server's log and statistics.
 *
 * @param password of printable ASCII: others would first have to be normalized (SASLprep)
 * @param salt (default: random)
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(SALT_BYTES)): string {
  if (!/^[\x20-\x7e]+$/.test(password))
    throw new Error('a database password has to be of printable ASCII characters')
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256')
  const keyed = (label: string) => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const server = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${Buffer.from(salt).toString('base64')}$${stored}:${server}`
}
