import { createHash } from 'node:crypto'

/** Maximum length of the attributes, in characters: storage quotas count contents, not rows. */
const MAX_LENGTH = 16_384
/** Levels of nesting; more are rejected. */
const MAX_DEPTH = 32

/** The body of a commit. Its token, digest and path do not belong to its meaning: a repeated commit may change them. */
interface CommitBody {
  readonly file: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

export function attributesOf({ file, ...rest }: CommitBody): Record<string, unknown> {
  const { token: _token, md5: _md5, ...fields } = file
  const { organization_id: _organization, project_id: _project, kind: _kind, ...others } = rest
  return { ...others, file: fields }
}

/**
 * Returns the SHA-256 of the attributes, whatever the order of their fields.
 *
 * @returns undefined if they are nested too deeply or too long
 */
export function meaningOf(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const text = canonical(attributes, 0)
  return text === undefined || text.length > MAX_LENGTH
    ? undefined
    : createHash('sha256').update(text).digest('hex')
}

function canonical(value: unknown, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return undefined
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const parts = Array.isArray(value)
    ? value.map((item) => canonical(item, depth + 1))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, item]) => {
          const text = canonical(item, depth + 1)
          return text === undefined ? undefined : `${JSON.stringify(name)}:${text}`
        })
  if (parts.includes(undefined)) return undefined
  return Array.isArray(value) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
}

/**
 * Finds text that Postgres cannot store: with NUL, or an unpaired surrogate.
 *
 * @param attributes accepted by {@link meaningOf}
 * @returns a JSON pointer (RFC 6901) to the text, or to the object whose field has it as name; undefined if there is none
 */
export function unstorableText(attributes: Readonly<Record<string, unknown>>): string | undefined {
  return unstorableIn(attributes, '')
}

function unstorableIn(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : pointer
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, item] of Object.entries(value)) {
    if (!isStorable(name)) return pointer
    const found = unstorableIn(item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** Returns the serial number of the device in a commit: in `device`, or beside it as older clients send it. */
export function deviceSerialOf(attributes: Readonly<Record<string, unknown>>): string | null {
  const { device, device_serial: topLevel } = attributes
  const inside = (device as { device_serial?: unknown } | undefined)?.device_serial
  const serial = inside ?? topLevel
  return typeof serial === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(serial) ? serial : null
}
