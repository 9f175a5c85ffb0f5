import { REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import { REJECTED_OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { Id } from '@bearing/contracts/primitives'
import { Connection } from '@bearing/nats/connection'
import { TendedStream, type LyingMessage } from '@bearing/nats/tended-stream'
import { Injectable } from '@nestjs/common'

/** Observations that nothing could be learned from. */
@Injectable()
export class RejectedStream {
  private readonly stream: TendedStream

  constructor(connection: Connection) {
    this.stream = new TendedStream(connection, REJECTED_OBSERVATION_STREAM)
  }

  /** What those that there are were put aside under, by whose they are. */
  subjects(): Promise<string[]> {
    return this.stream.subjects()
  }

  /** The first of them from a number on, of one subject or of all; null where there is none. */
  from(number: number, subject?: string): Promise<LyingMessage | null> {
    return this.stream.from(number, subject)
  }

  /** Forgets them, and overwrites where they lay. */
  delete(number: number): Promise<void> {
    return this.stream.delete(number)
  }
}

/** Whose they are; null where that cannot be told. */
export function ownerOf({ subject }: Pick<LyingMessage, 'subject'>): {
  readonly organization_id: string | null
  readonly project_id: string | null
} {
  const [organization, project] = subject.split('.').slice(-2)
  return { organization_id: idOrNull(organization), project_id: idOrNull(project) }
}

/** When they were received; undefined where that cannot be told. */
export function receivedAtOf({ header }: Pick<LyingMessage, 'header'>): Date | undefined {
  const time = Number(header(REJECTED_HEADERS.receivedAt))
  return Number.isSafeInteger(time) && time > 0 ? new Date(time) : undefined
}

function idOrNull(text: string | undefined): string | null {
  return Id.safeParse(text).data ?? null
}
