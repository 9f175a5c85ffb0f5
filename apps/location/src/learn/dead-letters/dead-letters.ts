import { REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import { OBSERVATION_DEAD_LETTER_STREAM } from '@bearing/contracts/streams'
import { Id } from '@bearing/contracts/primitives'
import { Connection } from '@bearing/nats/connection'
import { DeadLetterQueue } from '@bearing/nats/dead-letter-queue'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { Injectable } from '@nestjs/common'

/** The dead-letter queue: observations that cannot be learned. */
@Injectable()
export class DeadLetters extends DeadLetterQueue {
  constructor(connection: Connection) {
    super(connection, OBSERVATION_DEAD_LETTER_STREAM)
  }
}

/** Returns whose they are; null if that is unknown. */
export function ownerOf({ subject }: Pick<StoredMessage, 'subject'>): {
  readonly organization_id: string | null
  readonly project_id: string | null
} {
  const [organization, project] = subject.split('.').slice(-2)
  return { organization_id: idOrNull(organization), project_id: idOrNull(project) }
}

/** Returns when they were received; undefined if that is unknown. */
export function receivedAtOf({ header }: Pick<StoredMessage, 'header'>): Date | undefined {
  const time = Number(header(REJECTED_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

function idOrNull(text: string | undefined): string | null {
  return Id.safeParse(text).data ?? null
}
