import { createPrivateKey, createPublicKey } from 'node:crypto'
import { z } from 'zod'

/** A private Ed25519 key (RFC 8037). */
export interface SigningKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly kid: string
  /** The public key: 32 bytes, base64url. */
  readonly x: string
  /** The private key: 32 bytes, base64url. */
  readonly d: string
}

const bytes32 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url')

const PrivateKeys = z.object({
  keys: z
    .array(
      z.object({
        kty: z.literal('OKP', 'must be "OKP"'),
        crv: z.literal('Ed25519', 'must be "Ed25519"'),
        kid: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, ".", "_" and "-"'),
        x: bytes32,
        d: bytes32,
      }),
    )
    .min(1, 'must hold a key'),
})

/**
 * Reads the keys that claims are signed with: a JSON Web Key Set (RFC 7517) of private Ed25519 keys.
 *
 * @param told hears of every mistake; no message holds a key
 * @returns undefined where there was a mistake
 */
export function readSigningKeys(
  text: string,
  told: (mistake: string) => void,
): readonly [SigningKey, ...SigningKey[]] | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    told('is not JSON')
    return undefined
  }
  const parsed = PrivateKeys.safeParse(json)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) told(`${path.join('.')} ${message}`.trim())
    return undefined
  }
  const { keys } = parsed.data
  const mistakes = [...keys.filter((key) => !belongTogether(key)).map(mismatch), ...duplicates(keys)]
  for (const mistake of mistakes) told(mistake)
  const [first, ...rest] = keys
  return first && mistakes.length === 0 ? [first, ...rest] : undefined
}

const mismatch = ({ kid }: SigningKey) => `x and d of the key "${kid}" do not belong together`

function duplicates(keys: readonly SigningKey[]): string[] {
  const ids = keys.map(({ kid }) => kid)
  return ids.filter((kid, index) => ids.indexOf(kid) !== index).map((kid) => `two keys have the kid "${kid}"`)
}

/** A public key that is not of the private one would have every service refuse what identity signs. */
function belongTogether({ kty, crv, x, d }: SigningKey): boolean {
  try {
    const key = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
    return createPublicKey(key).export({ format: 'jwk' }).x === x
  } catch {
    return false
  }
}
