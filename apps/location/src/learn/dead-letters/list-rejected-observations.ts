import { listRejectedObservations, REJECTED_HEADERS } from '@bearing/contracts/location/rejected-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { listPutAside } from '@bearing/nats/put-aside'
import type { LyingMessage } from '@bearing/nats/tended-stream'
import { Controller } from '@nestjs/common'
import { ownerOf, receivedAtOf, DeadLetters } from './dead-letters.js'

type Listed = Output<typeof listRejectedObservations>

@Controller()
export class ListRejectedObservations {
  constructor(private readonly rejected: DeadLetters) {}

  @Handle(listRejectedObservations)
  async execute({ after }: Input<typeof listRejectedObservations>): Promise<Listed> {
    return listPutAside(this.rejected, after, viewOf)
  }
}

function viewOf(message: LyingMessage): Listed['data'][number] {
  return {
    number: message.number,
    ...ownerOf(message),
    received_at: receivedAtOf(message)?.toISOString() ?? null,
    size: message.body.length,
    reason: message.header(REJECTED_HEADERS.reason) ?? 'not known',
  }
}
