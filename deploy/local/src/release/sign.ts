import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * Reads the key that releases are signed with: ECDSA on P-256 in PEM, as `openssl ecparam -genkey -name prime256v1` makes it and
 * `cosign import-key-pair` reads it.
 *
 * @throws Error if it is another kind of key. The message contains nothing of it
 */
export function readSigningKey(path: string): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey(readFileSync(path))
  } catch {
    throw new Error(`${path} contains no private key in PEM.`)
  }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error(`${path} has to contain an ECDSA key on P-256, which cosign verifies with.`)
  return key
}

/** The key that others verify with: `cosign.pub`. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
}

/**
 * What cosign signs of an image ("simple signing"): who it is and its digest.
 *
 * @param reference without tag and digest, such as `registry.example.com/bearing-gateway`
 * @param digest of the manifest: `sha256:…`
 * @param optional what else is claimed
 */
export function signingPayload(
  reference: string,
  digest: string,
  optional: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({
    critical: {
      identity: { 'docker-reference': reference },
      image: { 'docker-manifest-digest': digest },
      type: 'cosign container image signature',
    },
    optional,
  })
}

/** Signs bytes as `cosign sign-blob` does: ECDSA over SHA-256, as ASN.1, in base64. */
export function signatureOf(key: KeyObject, bytes: string | Uint8Array): string {
  return sign('sha256', Buffer.from(bytes), key).toString('base64')
}

/** Whether a signature belongs to bytes. @param publicKey in PEM */
export function isSignedBy(publicKey: string, bytes: string | Uint8Array, signature: string): boolean {
  return verify('sha256', Buffer.from(bytes), publicKey, Buffer.from(signature, 'base64'))
}
