import { withoutLineEnd } from '@bearing/contracts/text/without-line-end'
import { nkeys } from '@nats-io/transport-node'

/** A key pair (Ed25519) with which a user authenticates to NATS. NATS knows only the public part. */
export interface Nkey {
  /** `SU…`. Secret. */
  readonly seed: string
  /** `U…` */
  readonly publicKey: string
}

export function newNkey(): Nkey {
  return nkeyOf(new TextDecoder().decode(nkeys.createUser().getSeed()))
}

/**
 * The nkey that a seed belongs to. A line break at its end is not a part of it.
 *
 * @throws where it is none of a user; the message never holds it
 */
export function nkeyOf(text: string): Nkey {
  const seed = withoutLineEnd(text)
  let publicKey: string
  try {
    publicKey = nkeys.fromSeed(new TextEncoder().encode(seed)).getPublicKey()
  } catch {
    // Without the cause, which may quote parts of the seed.
    throw new Error('The NATS nkey seed is not one: a letter is missing or wrong.')
  }
  if (!publicKey.startsWith('U'))
    throw new Error('The NATS nkey seed is not one of a user: those begin with SU.')
  return { seed, publicKey }
}
