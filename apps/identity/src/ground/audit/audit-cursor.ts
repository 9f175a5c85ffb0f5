import { invalidInput } from '@bearing/contracts/errors'
import { Id } from '@bearing/contracts/primitives'
import { z } from 'zod'
import type { AuditEntry, Prisma } from '../../generated/prisma/client.js'

/** The row after which a list continues. */
export interface AuditCursor {
  readonly id: string
  readonly at: Date
  /** Rows of the whole list, as the first page counted them. */
  readonly total: number
}

/** The last moment that Postgres and JavaScript both know, in milliseconds since 1970. */
const LAST_MS = 253_402_300_799_999

const Encoded = z.tuple([Id, z.int().min(0).max(LAST_MS), z.int().min(0)])

export function writeCursor({ id, at }: Pick<AuditEntry, 'id' | 'at'>, total: number): string {
  return Buffer.from(JSON.stringify([id, at.getTime(), total])).toString('base64url')
}

/** @throws OperationError `invalid_input` if the text is not a cursor */
export function readCursor(text: string): AuditCursor {
  let decoded: unknown
  try {
    decoded = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    decoded = undefined
  }
  const read = Encoded.safeParse(decoded)
  if (!read.success) throw invalidInput('/cursor', 'must be `next` of the previous reply')
  const [id, at, total] = read.data
  return { id, at: new Date(at), total }
}

/** Returns the condition for rows behind a cursor, newest first. Its first part is a range of the index by time. */
export function behind({ id, at }: AuditCursor): Prisma.AuditEntryWhereInput {
  return { at: { lte: at }, NOT: { at, id: { gte: id } } }
}
