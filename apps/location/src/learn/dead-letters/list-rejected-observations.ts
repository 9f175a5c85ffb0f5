import { listRejectedObservations } from '@bearing/contracts/location/observations/rejected-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { Controller } from '@nestjs/common'
import { ownerOf } from './dead-letters.js'

@Controller()
export class ListRejectedObservations {
  constructor(private readonly rejected: DeadLetters) {}

  @Handle(listRejectedObservations)
  async execute({
    after,
  }: Input<typeof listRejectedObservations>): Promise<Output<typeof listRejectedObservations>> {
    return this.rejected.list(after, ownerOf)
  }
}
