import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'

/** Prefixes of the secrets that Bearing creates, for secret scanners and people. */
export const TOKEN_PREFIX = {
  [ORGANIZATION_TOKEN]: 'brgo_',
  user_key: 'brgu_',
  session: 'brgs_',
  onboarding_token: 'brgn_',
} as const
export type TokenKind = keyof typeof TOKEN_PREFIX
const KIND_OF_PREFIX: ReadonlyMap<string, TokenKind> = new Map(
  (Object.keys(TOKEN_PREFIX) as TokenKind[]).map((kind) => [TOKEN_PREFIX[kind], kind]),
)

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const CRC_TABLE = crcTable()
const ID_BYTES = 16
const SECRET_BYTES = 32
const ID_LENGTH = 22
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const PREFIX_LENGTH = 5

/** Length of a token in characters: prefix 5, id 22, secret 43, checksum 6. */
export const TOKEN_LENGTH = PREFIX_LENGTH + ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH

export interface TokenParts {
  readonly kind: TokenKind
  /** The id of the credential (UUID). Not secret. */
  readonly id: string
  /** 32 bytes. */
  readonly secret: Uint8Array
}

/**
 * Formats a token: prefix, id and secret in base 62 of fixed width (digits, upper case, lower case), then the CRC-32
 * (ISO-HDLC, as in zlib) of all characters before it, also in base 62.
 *
 * @throws RangeError if the secret does not have 32 bytes or the id is not a UUID
 */
export function formatToken({ kind, id, secret }: TokenParts): string {
  const idHex = id.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(idHex)) throw new RangeError('a token id is a UUID')
  if (secret.length !== SECRET_BYTES) throw new RangeError('a token secret has 32 bytes')
  const body = TOKEN_PREFIX[kind] + encode(idHex, ID_LENGTH) + encode(hexOf(secret), SECRET_LENGTH)
  return body + checksum(body)
}

/**
 * Parses a token. Mistyped, cut off and invented tokens are refused before any lookup: random text passes the checksum with a
 * probability of one in 4 billion. A token has exactly one text.
 *
 * @returns undefined if the text is not a token of Bearing
 */
export function parseToken(text: string): TokenParts | undefined {
  if (text.length !== TOKEN_LENGTH) return undefined
  const kind = tokenKind(text)
  if (!kind) return undefined
  const body = text.slice(0, -CHECKSUM_LENGTH)
  if (checksum(body) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  const id = decode(body.slice(PREFIX_LENGTH, PREFIX_LENGTH + ID_LENGTH), ID_BYTES)
  const secret = decode(body.slice(PREFIX_LENGTH + ID_LENGTH), SECRET_BYTES)
  if (id === undefined || secret === undefined) return undefined
  return { kind, id: uuid(id), secret: bytesOf(secret) }
}

/** Returns the kind of token that the prefix of a text indicates. The rest may be invalid. */
export function tokenKind(text: string): TokenKind | undefined {
  return KIND_OF_PREFIX.get(text.slice(0, PREFIX_LENGTH))
}

function checksum(body: string): string {
  return encode(crc32(body).toString(16), CHECKSUM_LENGTH)
}

/** CRC-32 of ASCII text. Written out, because pages in a browser parse tokens too. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++)
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    return crc
  })
}

function encode(hex: string, length: number): string {
  let value = BigInt(`0x${hex}`)
  let text = ''
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(value % 62n)) + text
    value /= 62n
  }
  return text
}

/** Returns the bytes in hexadecimal; undefined if the text is not a number of that many bytes in base 62. */
function decode(text: string, byteLength: number): string | undefined {
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) return undefined
    value = value * 62n + BigInt(digit)
  }
  if (value >> BigInt(byteLength * 8) !== 0n) return undefined
  return value.toString(16).padStart(byteLength * 2, '0')
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) =>
    Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16),
  )
}

function uuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
