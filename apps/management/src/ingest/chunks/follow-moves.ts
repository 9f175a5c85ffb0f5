import type { Transaction } from '../../ground/database.js'

/** The device of a message, and its position in its stream. */
interface MessageOrigin {
  readonly projectId: string
  readonly serial: string
  readonly streamStartedAt: Date
  readonly sequence: number
}

/**
 * Returns the projects of messages whose device was moved after they were queued, by message. Data of a device that was deleted
 * before the move stays where it is, and is dropped.
 */
export async function followMoves<Message extends MessageOrigin>(
  transaction: Transaction,
  messages: readonly Message[],
): Promise<ReadonlyMap<Message, string>> {
  const rows = await transaction.$queryRaw<{ position: number; to_project_id: string }[]>`
    SELECT message.position::integer AS position, move.to_project_id
    FROM unnest(
      ${messages.map(({ projectId }) => projectId)}::uuid[],
      ${messages.map(({ serial }) => serial)}::text[],
      ${messages.map(({ streamStartedAt }) => streamStartedAt)}::timestamptz[],
      ${messages.map(({ sequence }) => sequence)}::bigint[]
    ) WITH ORDINALITY AS message (project_id, serial, stream_started_at, sequence, position)
    CROSS JOIN LATERAL (
      SELECT to_project_id, moved_at FROM device_moves m
      WHERE m.project_id = message.project_id AND m.serial = message.serial
        AND (m.stream_started_at, m.sequence) >= (message.stream_started_at, message.sequence)
      ORDER BY moved_at LIMIT 1
    ) move
    WHERE NOT EXISTS (
      SELECT FROM device_deletions d
      WHERE d.project_id = message.project_id AND d.serial = message.serial AND d.deleted_at < move.moved_at
        AND (d.stream_started_at, d.sequence) >= (message.stream_started_at, message.sequence))`
  return new Map(
    rows.flatMap(({ position, to_project_id }) => {
      const message = messages[position - 1]
      return message ? [[message, to_project_id] as const] : []
    }),
  )
}
