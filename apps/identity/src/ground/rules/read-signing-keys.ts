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
    .min(1, 'must contain a key'),
})

/**
 * Reads the signing keys of claims: a JSON Web Key Set (RFC 7517) of private Ed25519 keys.
 *
 * @param report receives every mistake, without keys
 * @returns undefined after a mistake
 */
export function readSigningKeys(
  text: string,
  report: (mistake: string) => void,
): readonly [SigningKey, ...SigningKey[]] | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    report('is not JSON')
    return undefined
  }
  const parsed = PrivateKeys.safeParse(json)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) report(`${path.join('.')} ${message}`.trim())
    return undefined
  }
  const { keys } = parsed.data
  const mistakes = [...keys.filter((key) => !belongTogether(key)).map(mismatch), ...duplicates(keys)]
  for (const mistake of mistakes) report(mistake)
  const [first, ...rest] = keys
  return first && mistakes.length === 0 ? [first, ...rest] : undefined
}

const mismatch = ({ kid }: SigningKey) => `x and d of the key "${kid}" do not belong together`

function duplicates(keys: readonly SigningKey[]): string[] {
  const ids = keys.map(({ kid }) => kid)
  return ids.filter((kid, index) => ids.indexOf(kid) !== index).map((kid) => `two keys have the kid "${kid}"`)
}

/** Otherwise every service would refuse the claims of identity. */
function belongTogether({ kty, crv, x, d }: SigningKey): boolean {
  try {
    const key = createPrivateKey({ key: { kty, crv, x, d }, format: 'jwk' })
    return createPublicKey(key).export({ format: 'jwk' }).x === x
  } catch {
    return false
  }
}
