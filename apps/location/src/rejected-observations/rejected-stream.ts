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

  /** The first of them from a number on; null where there is none. */
  from(number: number): Promise<LyingMessage | null> {
    return this.stream.from(number)
  }

  /** Forgets them, and overwrites where they lay. */
  delete(number: number): Promise<void> {
    return this.stream.delete(number)
  }
}

/** Whose they are; null where that cannot be told. */
export function ownerOf({ subject }: LyingMessage): {
  readonly organization_id: string | null
  readonly project_id: string | null
} {
  const [organization, project] = subject.split('.').slice(-2)
  return { organization_id: idOrNull(organization), project_id: idOrNull(project) }
}

function idOrNull(text: string | undefined): string | null {
  return Id.safeParse(text).data ?? null
}
