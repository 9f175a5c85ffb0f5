import type { Transaction } from '../../ground/database.js'
import { deviceKey } from '../../ground/device-key.js'
import { withoutErased } from '../../ground/without-erased.js'
import { isWithin, type QueueEnd, type QueuePlace } from './queue-end.js'

/** The device of a message, and its position in its stream. */
interface MessageOrigin extends QueuePlace {
  readonly organizationId: string
  readonly projectId: string
  readonly serial: string
}

/** Removes messages from before the deletion of their device, and those of organizations and projects that are erased. */
export async function withoutDeleted<Message extends MessageOrigin>(
  transaction: Transaction,
  all: readonly Message[],
): Promise<readonly Message[]> {
  const messages = await withoutErased(transaction, all)
  const deletions = await transaction.$queryRaw<
    {
      project_id: string
      serial: string
      stream_started_at: Date
      sequence: bigint
      other_streams: QueueEnd['otherStreams']
    }[]
  >`
    SELECT DISTINCT deletion.*
    FROM unnest(
      ${messages.map(({ projectId }) => projectId)}::uuid[],
      ${messages.map(({ serial }) => serial)}::text[]
    ) AS message (project_id, serial)
    JOIN device_deletions deletion USING (project_id, serial)`
  if (deletions.length === 0) return messages
  const byDevice = new Map(
    deletions.map((row) => [deviceKey({ projectId: row.project_id, serial: row.serial }), row]),
  )
  return messages.filter((message) => {
    const deletion = byDevice.get(deviceKey(message))
    if (!deletion) return true
    const { stream_started_at: streamStartedAt, sequence, other_streams: otherStreams } = deletion
    return !isWithin(message, { streamStartedAt, sequence, otherStreams })
  })
}
