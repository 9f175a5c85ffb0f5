import { REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import { REJECTED_OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { Id } from '@bearing/contracts/primitives'
import { Connection } from '@bearing/nats/connection'
import { TendedStream, type LyingMessage } from '@bearing/nats/tended-stream'
import { Injectable } from '@nestjs/common'

/** The dead-letter queue: observations that cannot be learned. */
@Injectable()
export class DeadLetters {
  private readonly stream: TendedStream

  constructor(connection: Connection) {
    this.stream = new TendedStream(connection, REJECTED_OBSERVATION_STREAM)
  }

  /** Returns the subjects with dead letters. */
  subjects(): Promise<string[]> {
    return this.stream.subjects()
  }

  /** Returns the first dead letter from a number on, of one subject or of all; null if there is none. */
  from(number: number, subject?: string): Promise<LyingMessage | null> {
    return this.stream.from(number, subject)
  }

  /** Deletes a dead letter and overwrites its bytes. */
  delete(number: number): Promise<void> {
    return this.stream.delete(number)
  }
}

/** Returns whose they are; null if that is unknown. */
export function ownerOf({ subject }: Pick<LyingMessage, 'subject'>): {
  readonly organization_id: string | null
  readonly project_id: string | null
} {
  const [organization, project] = subject.split('.').slice(-2)
  return { organization_id: idOrNull(organization), project_id: idOrNull(project) }
}

/** Returns when they were received; undefined if that is unknown. */
export function receivedAtOf({ header }: Pick<LyingMessage, 'header'>): Date | undefined {
  const time = Number(header(REJECTED_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

function idOrNull(text: string | undefined): string | null {
  return Id.safeParse(text).data ?? null
}
