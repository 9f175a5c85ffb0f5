import type { Transaction } from '../../ground/database.js'
import { lockDeletions } from '../../ground/locks.js'
import type { QueuePlace } from './queue-end.js'

/** The device of a message, and its position in its stream. */
interface MessageOrigin extends QueuePlace {
  readonly projectId: string
  readonly serial: string
  /** When the device came to the project, if that is known: earlier moves do not matter. */
  readonly movedAt?: Date | undefined
}

/** Where a message belongs. */
export interface Followed {
  readonly projectId: string
  /** When its device came there. */
  readonly movedAt: Date
}

/**
 * Follows moves like {@link followMoves}, and locks the projects that it finds. The projects of the messages are locked already. Rare,
 * so a deadlock may end the transaction: it is repeated.
 */
export async function lockFollowed<Message extends MessageOrigin>(
  transaction: Transaction,
  messages: readonly Message[],
): Promise<ReadonlyMap<Message, Followed>> {
  for (const locked = new Set<string>(); ;) {
    const moves = await followMoves(transaction, messages)
    const others = [...moves.values()].map(({ projectId }) => projectId).filter((id) => !locked.has(id))
    if (others.length === 0) return moves
    await lockDeletions(transaction, 'shared', others)
    // The device may have moved on before its project was locked.
    for (const id of others) locked.add(id)
  }
}

/**
 * Returns the projects of messages whose device was moved after they were queued, by message: after the last move, if there were
 * several. Data of a device that was deleted before a move stays where it is, and is dropped.
 */
async function followMoves<Message extends MessageOrigin>(
  transaction: Transaction,
  messages: readonly Message[],
): Promise<ReadonlyMap<Message, Followed>> {
  const rows = await transaction.$queryRaw<{ position: number; project_id: string; moved_at: Date }[]>`
    WITH RECURSIVE path AS (
      SELECT position, project_id, serial, stream_started_at, sequence, moved_at, 0 AS moves
      FROM unnest(
        ${messages.map(({ projectId }) => projectId)}::uuid[],
        ${messages.map(({ serial }) => serial)}::text[],
        ${messages.map(({ streamStartedAt }) => streamStartedAt)}::timestamptz[],
        ${messages.map(({ sequence }) => sequence)}::bigint[],
        ${messages.map(({ movedAt }) => movedAt?.toISOString() ?? '-infinity')}::timestamptz[]
      ) WITH ORDINALITY AS message (project_id, serial, stream_started_at, sequence, moved_at, position)
      UNION ALL
      SELECT path.position, move.to_project_id, path.serial, path.stream_started_at, path.sequence, move.moved_at, path.moves + 1
      FROM path CROSS JOIN LATERAL (
        SELECT to_project_id, moved_at FROM device_moves m
        WHERE m.project_id = path.project_id AND m.serial = path.serial AND m.moved_at > path.moved_at
          AND coalesce(
            (m.other_streams ->> (extract(epoch FROM path.stream_started_at) * 1000)::bigint::text)::bigint >= path.sequence,
            (m.stream_started_at, m.sequence) >= (path.stream_started_at, path.sequence))
        ORDER BY moved_at LIMIT 1
      ) move
      WHERE NOT EXISTS (
        SELECT FROM device_deletions d
        WHERE d.project_id = path.project_id AND d.serial = path.serial
          AND d.deleted_at > path.moved_at AND d.deleted_at < move.moved_at
          AND coalesce(
            (d.other_streams ->> (extract(epoch FROM path.stream_started_at) * 1000)::bigint::text)::bigint >= path.sequence,
            (d.stream_started_at, d.sequence) >= (path.stream_started_at, path.sequence)))
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
