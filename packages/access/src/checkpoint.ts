import { Buffer } from 'node:buffer'
import { createHash, createPublicKey, verify } from 'node:crypto'

/*
 * Signed checkpoints of audit chains: signed notes (C2SP signed-note) in the form of C2SP tlog-checkpoint, signed with Ed25519.
 * The chain is no Merkle tree: in place of a root hash stands the hash of its last row, and the origin says so.
 */

/** The length of a chain, and the hash of its last row. */
export interface Checkpoint {
  /** Identifies the chain: `<host>/audit-hash-chain/<id of the organization>`. */
  readonly origin: string
  readonly size: number
  /** Lower-case hexadecimal. */
  readonly hash: string
}

/** The type of a signature in signed notes. */
const ED25519 = 1
/** Begins the DER of an Ed25519 public key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the origin of a chain. */
export function originOf(host: string, chain: string): string {
  return `${host}/audit-hash-chain/${chain}`
}

/** Returns the text that is signed. */
export function checkpointText({ origin, size, hash }: Checkpoint): string {
  return `${origin}\n${String(size)}\n${Buffer.from(hash, 'hex').toString('base64')}\n`
}

/** Returns a signed note. @param signatures by the raw public key that verifies them */
export function checkpointNote(
  checkpoint: Checkpoint,
  signatures: readonly { readonly publicKey: Uint8Array; readonly signature: Uint8Array }[],
): string {
  const { origin } = checkpoint
  const lines = signatures.map(({ publicKey, signature }) => {
    const blob = Buffer.concat([keyId(origin, publicKey), signature])
    return `— ${origin} ${blob.toString('base64')}\n`
  })
  return `${checkpointText(checkpoint)}\n${lines.join('')}`
}

/** Returns a key as verifiers of signed notes take it: `<origin>+<key id>+<type and key>`. */
export function verificationKey(origin: string, publicKey: Uint8Array): string {
  const typed = Buffer.concat([Buffer.of(ED25519), publicKey])
  return `${origin}+${keyId(origin, publicKey).toString('hex')}+${typed.toString('base64')}`
}

/** Returns the checkpoint of a note, if one of the keys has signed it. A wrong signature of a known key invalidates the note. */
export function openCheckpoint(note: string, keys: readonly string[]): Checkpoint | undefined {
  const [, text = '', signatures = ''] = /^((?:[^\n]+\n){3,})\n((?:— [^\n]+\n)+)$/.exec(note) ?? []
  const [origin = '', size = '', hash = ''] = text.split('\n')
  if (!/^(?:0|[1-9]\d{0,14})$/.test(size) || Buffer.from(hash, 'base64').length !== 32) return undefined
  const valid = signatures
    .trimEnd()
    .split('\n')
    .flatMap((line) => keys.map((key) => isSigned(text, line, key)).filter((known) => known !== undefined))
  if (valid.length === 0 || valid.includes(false)) return undefined
  return { origin, size: Number(size), hash: Buffer.from(hash, 'base64').toString('hex') }
}

/** Returns undefined where the signature is of another key. */
function isSigned(text: string, line: string, key: string): boolean | undefined {
  const [, name, id, typed = ''] = /^(.+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(key) ?? []
  const [, signer, signature = ''] = line.split(' ')
  const blob = Buffer.from(signature, 'base64')
  if (name === undefined || signer !== name || blob.subarray(0, 4).toString('hex') !== id) return undefined
  const publicKey = Buffer.from(typed, 'base64')
  if (publicKey.length !== 33 || publicKey[0] !== ED25519 || !text.startsWith(`${name}\n`)) return false
  const spki = createPublicKey({
    key: Buffer.concat([SPKI, publicKey.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, Buffer.from(text), spki, blob.subarray(4))
}

function keyId(name: string, publicKey: Uint8Array): Buffer {
  const hash = createHash('sha256').update(`${name}\n`).update(Buffer.of(ED25519)).update(publicKey)
  return hash.digest().subarray(0, 4)
}
