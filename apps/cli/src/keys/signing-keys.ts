import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { UsageError } from '../usage-error.js'

const Keys = z.object({ keys: z.array(z.looseObject({ kid: z.string() })).min(1) })
type Keys = z.infer<typeof Keys>

/** What became of the keys, and the one that it is about. */
export interface ChangedKeys {
  /** The new value of IDENTITY_SIGNING_KEYS. */
  readonly value: string
  readonly id: string
}

/** Adds a new key behind those there are: it is published, and signs nothing yet. */
export function addSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const { privateKey } = generateKeyPairSync('ed25519')
  const kid = randomBytes(6).toString('hex')
  return write([...keys, { ...privateKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' }], kid)
}

/**
 * Puts the last key in front, so that it is the one that signs.
 *
 * @throws UsageError where there is only one
 */
export function promoteSigningKey(value: string): ChangedKeys {
  const { keys } = read(value)
  const last = keys.at(-1)
  if (!last || keys.length < 2)
    throw new UsageError('There is no new key to sign with.', 'Add one first: signing-keys add.')
  return write([last, ...keys.slice(0, -1)], last.kid)
}

/**
 * Takes away every key but the one that signs.
 *
 * @throws UsageError where there is no other
 */
export function retireSigningKeys(value: string): ChangedKeys {
  const [first, ...rest] = read(value).keys
  if (!first || rest.length === 0) throw new UsageError('There is no old key to take away.')
  return write([first], rest.map(({ kid }) => kid).join(', '))
}

/** No message repeats any of it: it is secret. */
function read(value: string): Keys {
  try {
    return Keys.parse(JSON.parse(value))
  } catch {
    throw new UsageError(
      'This is no value of IDENTITY_SIGNING_KEYS: it has to be a JSON Web Key Set whose keys have a "kid".',
    )
  }
}

function write(keys: Keys['keys'], id: string): ChangedKeys {
  return { value: JSON.stringify({ keys }), id }
}
