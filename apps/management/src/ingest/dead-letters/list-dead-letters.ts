import { listDeadLetters } from '@bearing/contracts/management/data/dead-letter'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { Controller } from '@nestjs/common'
import { deadLetterDevice } from './dead-letter.js'

@Controller()
export class ListDeadLetters {
  constructor(private readonly letters: DeadLetters) {}

  @Handle(listDeadLetters)
  async execute({ after }: Input<typeof listDeadLetters>): Promise<Output<typeof listDeadLetters>> {
    return this.letters.list(after, (letter) => {
      const device = deadLetterDevice(letter)
      return {
        organization_id: device?.organizationId ?? null,
        project_id: device?.projectId ?? null,
        device_serial: device?.serial ?? null,
      }
    })
  }
}
