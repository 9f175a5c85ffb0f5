import {
  DEAD_LETTER_HEADERS,
  MAX_DEAD_LETTERS,
  listDeadLetters,
} from '@bearing/contracts/management/dead-letter'
import type { Input, Output } from '@bearing/contracts/operation'
import type { LyingMessage } from '@bearing/nats/tended-stream'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { DeadLetterStream, deadLetterAddress, deadLetterReceivedAt } from './dead-letter-stream.js'

@Controller()
export class ListDeadLetters {
  constructor(private readonly letters: DeadLetterStream) {}

  @Handle(listDeadLetters)
  async execute({ after }: Input<typeof listDeadLetters>): Promise<Output<typeof listDeadLetters>> {
    const data: Output<typeof listDeadLetters>['data'] = []
    let next = after + 1
    while (data.length < MAX_DEAD_LETTERS) {
      const letter = await this.letters.from(next)
      if (!letter) return { data, next: null }
      data.push(toDeadLetter(letter))
      next = letter.number + 1
    }
    return { data, next: next - 1 }
  }
}

function toDeadLetter(letter: LyingMessage): Output<typeof listDeadLetters>['data'][number] {
  const address = deadLetterAddress(letter)
  return {
    number: letter.number,
    organization_id: address?.organizationId ?? null,
    project_id: address?.projectId ?? null,
    device_serial: address?.serial ?? null,
    received_at: deadLetterReceivedAt(letter)?.toISOString() ?? null,
    size: letter.body.length,
    reason: letter.header(DEAD_LETTER_HEADERS.reason) ?? 'not known',
  }
}
