import { heardAt, MAX_ACCESS_POINTS, type HeardAccessPoint } from './heard-access-point.js'
import { DEFAULT_OPTIONS } from './location-options.js'

/** Ids as they are read without the schema. */
interface UsualScope {
  readonly organization_id: string
  readonly project_id: string
}

/** A scan as it is read without JSON and schema. */
type UsualScan = typeof DEFAULT_OPTIONS & { readonly accessPoints: HeardAccessPoint[] }

/** What a schema says of a scan that is valid. */
interface ValidScan {
  readonly success: true
  readonly data: UsualScan
}

/** An id as Bearing writes it. Others are left to the schema. */
const ID_LENGTH = 36
const ID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/
/** Characters of JSON in ASCII. */
const [QUOTE, COMMA, MINUS, ZERO, COLON] = [0x22, 0x2c, 0x2d, 0x30, 0x3a]
const [LIST_START, LIST_END, OBJECT_START, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
/** More digits than any field needs, and few enough for an exact integer. */
const MAX_DIGITS = 9

const SCANS = bytesOf('scans')
const ORGANIZATION = bytesOf('organization_id')
const PROJECT = bytesOf('project_id')
const LIST = bytesOf('accessPoints')
const ADDRESS = bytesOf('macAddress')
const NUMBERS = ['signalStrength', 'frequency', 'channel', 'age', 'signalToNoiseRatio'] as const
const NUMBER_FIELDS = NUMBERS.map((name) => ({ name, bytes: bytesOf(name) }))

/**
 * Reads a Wi-Fi scan from its bytes, as nearly all clients write it: a list of access points whose addresses have six groups of digits or
 * one, and whose other fields are integers. JSON and schema give the same, and take several times as long.
 *
 * @param json the body
 * @param over fields that replace those of the body
 * @returns undefined for everything else, whether it is valid or not
 */
export function readUsualScan(
  json: Uint8Array,
  over: Readonly<Record<string, unknown>>,
): (UsualScope & UsualScan) | undefined {
  const { organization_id, project_id } = over
  if (!isId(organization_id) || !isId(project_id) || Object.keys(over).length > 2) return undefined
  const scan = new UsualReader(json).single()
  return scan && { organization_id, project_id, ...scan }
}

/**
 * Reads a batch of Wi-Fi scans from its bytes, as the gateway writes it if each scan is one that {@link readUsualScan} reads: `scans`, then
 * the ids.
 *
 * @param json the input of the call
 * @param most scans of a batch
 * @returns undefined for everything else, whether it is valid or not
 */
export function readUsualBatch(
  json: Uint8Array,
  most: number,
): (UsualScope & { readonly scans: ValidScan[] }) | undefined {
  return new UsualReader(json).batch(most)
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value)
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0))
}

/** Reads the bytes from the first to the last. What a method does not find is nothing that the reader knows. */
class UsualReader {
  private at = 0

  constructor(private readonly bytes: Uint8Array) {}

  /** A scan, and nothing else. */
  single(): UsualScan | undefined {
    const scan = this.scan()
    return this.isAtEnd() ? scan : undefined
  }

  /** A batch, and nothing else. */
  batch(most: number): (UsualScope & { readonly scans: ValidScan[] }) | undefined {
    if (!this.take(OBJECT_START) || !this.name(SCANS) || !this.take(LIST_START)) return undefined
    const scans: ValidScan[] = []
    do {
      const data = this.scan()
      if (!data || scans.length === most) return undefined
      scans.push({ success: true, data })
    } while (this.take(COMMA))
    if (!this.take(LIST_END)) return undefined
    const organization_id = this.id(ORGANIZATION)
    const project_id = this.id(PROJECT)
    if (organization_id === undefined || project_id === undefined) return undefined
    return this.take(OBJECT_END) && this.isAtEnd() ? { organization_id, project_id, scans } : undefined
  }

  private scan(): UsualScan | undefined {
    if (!this.take(OBJECT_START) || !this.name(LIST) || !this.take(LIST_START)) return undefined
    const accessPoints: HeardAccessPoint[] = []
    do {
      const accessPoint = this.accessPoint()
      if (!accessPoint || accessPoints.length === MAX_ACCESS_POINTS) return undefined
      accessPoints.push(accessPoint)
    } while (this.take(COMMA))
    if (!this.take(LIST_END) || !this.take(OBJECT_END)) return undefined
    return { ...DEFAULT_OPTIONS, accessPoints }
  }

  /** A comma, a name, and an id. */
  private id(name: Uint8Array): string | undefined {
    if (!this.take(COMMA) || !this.name(name) || !this.take(QUOTE)) return undefined
    const id = String.fromCharCode(...this.bytes.subarray(this.at, this.at + ID_LENGTH))
    this.at += ID_LENGTH
    return isId(id) && this.bytes[this.at++] === QUOTE ? id : undefined
  }

  private accessPoint(): HeardAccessPoint | undefined {
    if (!this.take(OBJECT_START)) return undefined
    const sent: Partial<Record<(typeof NUMBERS)[number], number>> = {}
    let address: number | undefined
    do {
      if (this.name(ADDRESS)) {
        if (address !== undefined) return undefined
        address = this.address()
        if (address === undefined) return undefined
      } else {
        const field = NUMBER_FIELDS.find(({ bytes }) => this.name(bytes))
        if (!field || sent[field.name] !== undefined) return undefined
        const value = this.integer()
        if (value === undefined) return undefined
        sent[field.name] = value
      }
    } while (this.take(COMMA))
    return this.take(OBJECT_END) && address !== undefined ? heardAt(address, sent) : undefined
  }

  /** Takes a name and its colon, or nothing. */
  private name(name: Uint8Array): boolean {
    const { bytes } = this
    this.skipBlanks()
    const first = this.at + 1
    const end = first + name.length
    if (bytes[this.at] !== QUOTE || bytes[end] !== QUOTE) return false
    for (let at = first; at < end; at++) if (bytes[at] !== name[at - first]) return false
    const before = this.at
    this.at = end + 1
    if (this.take(COLON)) return true
    this.at = before
    return false
  }

  private address(): number | undefined {
    const { bytes } = this
    this.skipBlanks()
    const first = this.at + 1
    const separator = bytes[first + 2] ?? 0
    const step = isSeparator(separator) ? 3 : 2
    const end = first + 6 * step - (step - 2)
    if (bytes[this.at] !== QUOTE || bytes[end] !== QUOTE) return undefined
    let address = 0
    for (let at = first; at < end; at += step) {
      const octet = (DIGITS[bytes[at] ?? 0] ?? NO_DIGIT) * 16 + (DIGITS[bytes[at + 1] ?? 0] ?? NO_DIGIT)
      if (octet >= NO_DIGIT) return undefined
      if (step === 3 && at + 2 < end && bytes[at + 2] !== separator) return undefined
      address = address * 256 + octet
    }
    this.at = end + 1
    return address
  }

  private integer(): number | undefined {
    const { bytes } = this
    this.skipBlanks()
    const isNegative = bytes[this.at] === MINUS
    const first = isNegative ? this.at + 1 : this.at
    let value = 0
    let at = first
    for (; at < first + MAX_DIGITS; at++) {
      const digit = (bytes[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    // Neither nothing, nor −0, nor a zero in front. A further digit, a fraction or an exponent is no comma and no bracket.
    if (at === first || (bytes[first] === ZERO && (isNegative || at > first + 1))) return undefined
    this.at = at
    return isNegative ? -value : value
  }

  private take(code: number): boolean {
    this.skipBlanks()
    if (this.bytes[this.at] !== code) return false
    this.at++
    return true
  }

  private isAtEnd(): boolean {
    this.skipBlanks()
    return this.at === this.bytes.length
  }

  private skipBlanks(): void {
    const { bytes } = this
    while (this.at < bytes.length && isBlank(bytes[this.at] ?? 0)) this.at++
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

/** `-`, `.` or `:`. */
function isSeparator(code: number): boolean {
  return code === 0x2d || code === 0x2e || code === 0x3a
}

/** In the place of the value of what is no hexadecimal digit: more than any octet. */
const NO_DIGIT = 256
/** The value of each byte as a hexadecimal digit. */
const DIGITS = Uint16Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? NO_DIGIT : value
})
