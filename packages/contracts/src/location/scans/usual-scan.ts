import {
  AGE,
  heardAt,
  MAX_ACCESS_POINTS,
  SIGNAL_STRENGTH,
  type HeardAccessPoint,
} from '../access-points/heard-access-point.js'
import { DEFAULT_OPTIONS } from '../lookups/location-options.js'

/** Ids as they are read without the schema. */
interface UsualScope {
  readonly organization_id: string
  readonly project_id: string
}

/** Numbers of an access point in {@link UsualScan.numbers}. */
export const USUAL_FIELDS = 6
/** Their indexes: the address, the signal strength in dBm, and the age in milliseconds. */
export const [USUAL_ADDRESS, USUAL_SIGNAL, USUAL_AGE] = [0, 1, 2]

/**
 * A scan as it is read without JSON and schema. Its access points are numbers until they are asked for, because most scans are located by
 * their numbers alone, and objects cost several times as much.
 */
export class UsualScan {
  readonly confidence = DEFAULT_OPTIONS.confidence
  readonly reply = DEFAULT_OPTIONS.reply

  /** @param numbers {@link USUAL_FIELDS} for each access point, in the order in which they were sent; NaN stands for what was not given */
  constructor(readonly numbers: readonly number[]) {}

  /** Access points that were sent. */
  get received(): number {
    return this.numbers.length / USUAL_FIELDS
  }

  /** The access points as the schema reads them. */
  get accessPoints(): HeardAccessPoint[] {
    return Array.from({ length: this.received }, (_, index) => {
      const at = index * USUAL_FIELDS
      const sent: Partial<Record<(typeof NUMBERS)[number], number>> = {}
      for (const [field, name] of NUMBERS.entries()) {
        const value = this.numbers[at + 1 + field]
        if (value !== undefined && !Number.isNaN(value)) sent[name] = value
      }
      return heardAt(this.numbers[at] ?? 0, sent)
    })
  }
}

/** The same with the ids of a look-up. */
class UsualLookUp extends UsualScan {
  constructor(
    readonly organization_id: string,
    readonly project_id: string,
    { numbers }: UsualScan,
  ) {
    super(numbers)
  }
}

/** Result of a schema for a valid scan. */
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
/** In the order of {@link UsualScan.numbers}, after the address. */
const NUMBERS = ['signalStrength', 'age', 'frequency', 'channel', 'signalToNoiseRatio'] as const
const NUMBER_NAMES = NUMBERS.map(bytesOf)

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
): UsualLookUp | undefined {
  const { organization_id, project_id } = over
  if (!isId(organization_id) || !isId(project_id) || Object.keys(over).length > 2) return undefined
  const scan = new UsualReader(json).single()
  return scan && new UsualLookUp(organization_id, project_id, scan)
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

/** Numbers of the scan that is being read: none waits for anything. A scan takes a copy, which is no longer than it needs. */
const NUMBERS_READ = new Array<number>(MAX_ACCESS_POINTS * USUAL_FIELDS).fill(Number.NaN)

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
    let end = 0
    do {
      if (end === NUMBERS_READ.length || !this.accessPoint(end)) return undefined
      end += USUAL_FIELDS
    } while (this.take(COMMA))
    if (!this.take(LIST_END) || !this.take(OBJECT_END)) return undefined
    return new UsualScan(NUMBERS_READ.slice(0, end))
  }

  /** A comma, a name, and an id. */
  private id(name: Uint8Array): string | undefined {
    if (!this.take(COMMA) || !this.name(name) || !this.take(QUOTE)) return undefined
    const id = String.fromCharCode(...this.bytes.subarray(this.at, this.at + ID_LENGTH))
    this.at += ID_LENGTH
    return isId(id) && this.bytes[this.at++] === QUOTE ? id : undefined
  }

  /** An access point: writes its numbers from a place on. */
  private accessPoint(first: number): boolean {
    if (!this.take(OBJECT_START)) return false
    for (let at = first; at < first + USUAL_FIELDS; at++) NUMBERS_READ[at] = Number.NaN
    do {
      const field = this.name(ADDRESS) ? USUAL_ADDRESS : this.numberField()
      if (field === -1 || !Number.isNaN(NUMBERS_READ[first + field])) return false
      const value = field === USUAL_ADDRESS ? this.address() : this.integer()
      if (value === undefined) return false
      NUMBERS_READ[first + field] = value
    } while (this.take(COMMA))
    if (!this.take(OBJECT_END) || Number.isNaN(NUMBERS_READ[first])) return false
    NUMBERS_READ[first + USUAL_SIGNAL] = within(SIGNAL_STRENGTH, NUMBERS_READ[first + USUAL_SIGNAL])
    NUMBERS_READ[first + USUAL_AGE] = within(AGE, NUMBERS_READ[first + USUAL_AGE])
    return true
  }

  /** Takes the name of a number; −1 for any other. */
  private numberField(): number {
    for (let field = 0; field < NUMBER_NAMES.length; field++) {
      const name = NUMBER_NAMES[field]
      if (name && this.name(name)) return 1 + field
    }
    return -1
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

/** Reads a number as the schema does; NaN stands for none. */
function within(read: (sent: number) => number | undefined, sent = Number.NaN): number {
  return Number.isNaN(sent) ? sent : (read(sent) ?? Number.NaN)
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
