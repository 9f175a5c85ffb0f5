import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { UsageError } from '../usage-error.js'

const Keys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) })
type Keys = z.infer<typeof Keys>

/** The changed keys, and the affected one. */
export interface ChangedKeys {
  /** The new value of IDENTITY_SIGNING_KEYS. */
  readonly value: string
  readonly id: string
}

/** Adds a key at the end: it is published, and does not sign yet. */
export function addSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const { privateKey } = generateKeyPairSync('ed25519')
  const kid = randomBytes(6).toString('hex')
  return write([...keys, { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }], kid)
}

/**
 * Moves the last key to the front, so that it signs.
 *
 * @throws UsageError if there is only one
 */
export function promoteSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const last = keys.at(-1)
  if (!last || keys.length < 2)
    throw new UsageError('There is no new key to promote.', 'Add one first: signing-keys add.')
  return write([last, ...keys.slice(0, -1)], last.kid)
}

/**
 * Removes all keys except the signing key.
 *
 * @throws UsageError if there is no other key
 */
export function retireSigningKeys(value: string): ChangedKeys {
  const [first, ...rest] = read(value).keys
  if (!first || rest.length === 0) throw new UsageError('There is no old key to remove.')
  return write([first], rest.map(({ kid }) => kid).join(', '))
}

/** Messages must not contain the value: it is secret. */
function read(value: string): Keys {
  try {
    return Keys.parse(JSON.parse(value))
  } catch {
    throw new UsageError(
      'The value of IDENTITY_SIGNING_KEYS is invalid: it must be a JSON Web Key Set whose keys have a "kid".',
    )
  }
}

function write(keys: Keys['keys'], id: string): ChangedKeys {
  return { value: JSON.stringify({ keys }), id }
}
