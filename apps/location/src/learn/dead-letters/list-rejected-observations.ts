import { listRejectedObservations, REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { Controller } from '@nestjs/common'
import { ownerOf, receivedAtOf, DeadLetters } from './dead-letters.js'

type Listed = Output<typeof listRejectedObservations>

@Controller()
export class ListRejectedObservations {
  constructor(private readonly rejected: DeadLetters) {}

  @Handle(listRejectedObservations)
  async execute({ after }: Input<typeof listRejectedObservations>): Promise<Listed> {
    return this.rejected.list(after, viewOf)
  }
}

function viewOf(message: StoredMessage): Listed['data'][number] {
  return {
    number: message.number,
    ...ownerOf(message),
    received_at: receivedAtOf(message)?.toISOString() ?? null,
    size: message.body.length,
    reason: message.header(REJECTED_HEADERS.reason) ?? 'not known',
  }
}
