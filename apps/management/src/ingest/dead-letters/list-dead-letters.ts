import { DEAD_LETTER_HEADERS, listDeadLetters } from '@bearing/contracts/management/dead-letter'
import type { Input, Output } from '@bearing/contracts/operation'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { DeadLetterStream, deadLetterDevice, deadLetterReceivedAt } from './dead-letter-stream.js'

@Controller()
export class ListDeadLetters {
  constructor(private readonly letters: DeadLetterStream) {}

  @Handle(listDeadLetters)
  async execute({ after }: Input<typeof listDeadLetters>): Promise<Output<typeof listDeadLetters>> {
    return this.letters.list(after, toDeadLetter)
  }
}

function toDeadLetter(letter: StoredMessage): Output<typeof listDeadLetters>['data'][number] {
  const device = deadLetterDevice(letter)
  return {
    number: letter.number,
    organization_id: device?.organizationId ?? null,
    project_id: device?.projectId ?? null,
    device_serial: device?.serial ?? null,
    received_at: deadLetterReceivedAt(letter)?.toISOString() ?? null,
    size: letter.body.length,
    reason: letter.header(DEAD_LETTER_HEADERS.reason) ?? 'unknown',
  }
}
