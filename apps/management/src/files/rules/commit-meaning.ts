import { createHash } from 'node:crypto'

/** Deeper than any client has it, in levels: what is nested deeper is refused. */
const MAX_DEPTH = 32

/** What of a commit does not belong to its meaning: a second try may say it otherwise. */
interface CommitBody {
  readonly file: Readonly<Record<string, unknown>>
  readonly [field: string]: unknown
}

/** What a commit says of its file, apart from the upload's own fields. */
export function attributesOf({ file, ...rest }: CommitBody): Record<string, unknown> {
  const { token: _token, md5: _md5, ...said } = file
  const { organization_id: _organization, project_id: _project, kind: _kind, ...others } = rest
  return { ...others, file: said }
}

/**
 * The SHA-256 of what a commit says: of two that say the same, in whatever order, it is the same.
 *
 * @returns undefined where it is nested deeper than anybody means
 */
export function meaningOf(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const text = canonical(attributes, 0)
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
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
 * Where in what a commit says there is text that Postgres cannot keep: with a NUL, or half of a character.
 *
 * @param attributes not nested deeper than {@link meaningOf} takes
 * @returns a JSON pointer (RFC 6901) to the text, or to what it is the name of; undefined where there is none
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

/** The serial number of the device that a commit names: in `device`, or beside it, as older clients have it. */
export function deviceSerialOf(attributes: Readonly<Record<string, unknown>>): string | null {
  const { device, device_serial: beside } = attributes
  const inside = (device as { device_serial?: unknown } | undefined)?.device_serial
  const serial = inside ?? beside
  return typeof serial === 'string' && /^[A-Za-z0-9_-]{1,128}$/.test(serial) ? serial : null
}
