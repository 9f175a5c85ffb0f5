import { DEAD_LETTER_HEADERS } from '@bearing/contracts/nats/dead-letters'
import { chunkAddress, withPrefix, type ChunkAddress } from '@bearing/contracts/management/data/chunk-message'
import { sendChunks } from '@bearing/contracts/management/data/chunk'
import { DEAD_LETTER_SUBJECT } from '@bearing/contracts/management/data/dead-letter'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { receivedAtOf, type RetentionOf } from '@bearing/service/store/dead-letters'
import type { Database } from '../../ground/database.js'
import { UnreadableMessage, decodeMessage, type DeviceMessage } from '../chunks/decode-message.js'

/** Returns the device of a dead letter; undefined if its subject is malformed. */
export function deadLetterDevice({ subject }: Pick<StoredMessage, 'subject'>): ChunkAddress | undefined {
  return chunkAddress(originalSubject(subject))
}

/** Returns the subjects of dead letters; `*` is any. */
export function deadLettersOf(organizationId: string, projectId = '*', serial = '*'): string {
  return [DEAD_LETTER_SUBJECT, organizationId, projectId, serial].join('.')
}

/** Returns the original position of the message in the stream of queued data; undefined if its headers are malformed. */
export function deadLetterOrigin({
  header,
}: StoredMessage): { readonly streamStartedAt: Date; readonly sequence: number } | undefined {
  const started = Number(header(DEAD_LETTER_HEADERS.streamStarted) ?? Number.NaN)
  const sequence = Number(header(DEAD_LETTER_HEADERS.sequence) ?? Number.NaN)
  if (!Number.isSafeInteger(started) || !Number.isSafeInteger(sequence)) return undefined
  return { streamStartedAt: new Date(started), sequence }
}

/**
 * Decodes the message of a dead letter, with its original id, position and time.
 *
 * @throws UnreadableMessage
 */
export function decodeDeadLetter(letter: StoredMessage): DeviceMessage {
  const origin = deadLetterOrigin(letter)
  const receivedAt = receivedAtOf(letter)
  if (!origin || !receivedAt) throw new UnreadableMessage('its headers do not contain when it was received')
  return decodeMessage({ ...letter, subject: originalSubject(letter.subject) }, { ...origin, receivedAt })
}

/** Returns how long projects keep what their devices send: dead letters of it, too. */
export function chunkRetention(database: Database): RetentionOf {
  return async (subjects) => {
    const projects = subjects.map((subject) => deadLetterDevice({ subject })?.projectId)
    const policies = await database.dataPolicy.findMany({
      where: { projectId: { in: [...new Set(projects)].filter((id) => id !== undefined) } },
      select: { projectId: true, retentionDays: true },
    })
    return new Map(
      policies.flatMap(({ projectId, retentionDays }) =>
        retentionDays === null ? [] : [[deadLettersOf('*', projectId), retentionDays]],
      ),
    )
  }
}

function originalSubject(subject: string): string {
  return withPrefix(subject, sendChunks.subject)
}
