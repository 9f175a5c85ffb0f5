/** Attributes of a commit that lists of files show, as columns. */
export interface AttributeColumns {
  readonly hardwareVersion: string | null
  readonly softwareType: string | null
  readonly softwareVersion: string | null
  readonly startTime: string | null
  readonly durationSecs: number | null
  readonly mimeTypes: string[]
  readonly reason: string | null
}

const MAX_MIME_TYPES = 16
type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the well-known attributes of a commit. Clients send versions inside `device`, beside it, or for symbols inside
 * `software_version`. A value that is too long or of another type is null; `attributes` still contain it.
 */
export function attributeColumns(attributes: Fields): AttributeColumns {
  const device = fieldsOf(attributes['device'])
  const version = fieldsOf(attributes['software_version'])
  const either = (name: string) => text(device[name] ?? attributes[name], 128)
  const { start_time: start, duration_secs: duration, mimetypes, reason } = attributes
  return {
    hardwareVersion: either('hardware_version'),
    softwareType: text(version['software_type'], 128) ?? either('software_type'),
    softwareVersion: text(version['version'], 128) ?? either('software_version'),
    startTime: text(start, 64),
    durationSecs: typeof duration === 'number' ? duration : null,
    mimeTypes: (Array.isArray(mimetypes) ? mimetypes : [])
      .flatMap((type: unknown) => text(type, 128) ?? [])
      .slice(0, MAX_MIME_TYPES),
    reason: text(reason, 256),
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function text(value: unknown, longest: number): string | null {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : null
}
