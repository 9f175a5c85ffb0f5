import { createHash } from 'node:crypto'
import { OperationError, invalidInput } from '@bearing/contracts/errors'
import { DeviceFilter } from '@bearing/contracts/management/devices/device-selection'
import { z } from 'zod'

/** Lifetime of a token of a preview, in milliseconds. */
const TOKEN_MS = 3_600_000

const Filter = z.object(DeviceFilter)

/**
 * Returns the filter of an input.
 *
 * @throws OperationError `invalid_input` if it selects all devices
 */
export function filterOf(input: object): DeviceFilter {
  const filter = Object.fromEntries(
    Object.entries(Filter.parse(input)).filter(([, value]) => value !== undefined),
  )
  if (Object.keys(filter).length === 0) throw invalidInput('', 'must name at least one filter')
  return filter
}

interface Preview {
  readonly count: number
  /** Time of the selection, in milliseconds since 1970. `silent_for` counts back from here. */
  readonly atMs: number
}

const Token = z.tuple([z.int().min(0), z.int().min(0), z.string()])

/** Returns the token of a preview. It is no secret: who may delete devices can also delete them one by one. */
export function writeToken(projectId: string, filter: DeviceFilter, { count, atMs }: Preview): string {
  return Buffer.from(JSON.stringify([count, atMs, digestOf(projectId, filter, count, atMs)])).toString(
    'base64url',
  )
}

/** @throws OperationError `selection_changed` if the token is of another filter or has expired */
export function readToken(projectId: string, filter: DeviceFilter, text: string, nowMs: number): Preview {
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    decoded = undefined
  }
  const read = Token.safeParse(decoded)
  if (!read.success) throw invalidInput('/token', 'must be the token of a preview')
  const [count, atMs, digest] = read.data
  if (digest !== digestOf(projectId, filter, count, atMs))
    throw changed('The token is of another filter or project.')
  if (nowMs - atMs > TOKEN_MS || atMs > nowMs + TOKEN_MS) throw changed('The token has expired.')
  return { count, atMs }
}

/** Returns the error for a selection that is not the one of the preview. */
export function changed(why: string): OperationError {
  return new OperationError('selection_changed', `${why} Nothing was deleted. Preview the deletion again.`)
}

function digestOf(projectId: string, filter: DeviceFilter, count: number, atMs: number): string {
  const members = Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([projectId, members, count, atMs]))
    .digest('base64url')
}
