import type { Transaction } from '../../ground/database.js'

/** The device of a message, and its position in its stream. */
interface MessageOrigin {
  readonly projectId: string
  readonly serial: string
  readonly streamStartedAt: Date
  readonly sequence: number
}

/** Where a message belongs. */
export interface Followed {
  readonly projectId: string
  /** When its device came there. */
  readonly movedAt: Date
}

/**
 * Returns the projects of messages whose device was moved after they were queued, by message: after the last move, if there were
 * several. Data of a device that was deleted before a move stays where it is, and is dropped.
 */
export async function followMoves<Message extends MessageOrigin>(
  transaction: Transaction,
  messages: readonly Message[],
): Promise<ReadonlyMap<Message, Followed>> {
  const rows = await transaction.$queryRaw<{ position: number; project_id: string; moved_at: Date }[]>`
    WITH RECURSIVE path AS (
      SELECT position, project_id, serial, stream_started_at, sequence, '-infinity'::timestamptz AS moved_at, 0 AS moves
      FROM unnest(
        ${messages.map(({ projectId }) => projectId)}::uuid[],
        ${messages.map(({ serial }) => serial)}::text[],
        ${messages.map(({ streamStartedAt }) => streamStartedAt)}::timestamptz[],
        ${messages.map(({ sequence }) => sequence)}::bigint[]
      ) WITH ORDINALITY AS message (project_id, serial, stream_started_at, sequence, position)
      UNION ALL
      SELECT path.position, move.to_project_id, path.serial, path.stream_started_at, path.sequence, move.moved_at, path.moves + 1
      FROM path CROSS JOIN LATERAL (
        SELECT to_project_id, moved_at FROM device_moves m
        WHERE m.project_id = path.project_id AND m.serial = path.serial AND m.moved_at > path.moved_at
          AND (m.stream_started_at, m.sequence) >= (path.stream_started_at, path.sequence)
        ORDER BY moved_at LIMIT 1
      ) move
      WHERE NOT EXISTS (
        SELECT FROM device_deletions d
        WHERE d.project_id = path.project_id AND d.serial = path.serial
          AND d.deleted_at > path.moved_at AND d.deleted_at < move.moved_at
          AND (d.stream_started_at, d.sequence) >= (path.stream_started_at, path.sequence))
    )
    SELECT DISTINCT ON (position) position::integer AS position, project_id, moved_at
    FROM path WHERE moves > 0 ORDER BY position, moves DESC`
  return new Map(
    rows.flatMap(({ position, project_id: projectId, moved_at: movedAt }) => {
      const message = messages[position - 1]
      return message ? [[message, { projectId, movedAt }] as const] : []
    }),
  )
}
