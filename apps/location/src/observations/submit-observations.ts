import { submitObservations } from '@bearing/contracts/location/observation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { OBSERVATION_STREAM } from '@bearing/contracts/streams'
import { Handle } from '@bearing/nats/handle'
import { MessageStore } from '@bearing/nats/message-store'
import { Clock } from '@bearing/service/clock'
import { Controller } from '@nestjs/common'
import { messageId, messageOf } from './message-of.js'

/** Stores contributed scans, to be learned from. Answers when JetStream has them. */
@Controller()
export class SubmitObservations {
  constructor(
    private readonly store: MessageStore,
    private readonly clock: Clock,
  ) {}

  @Handle(submitObservations)
  async execute(
    input: Input<typeof submitObservations>,
    by: Principal,
  ): Promise<Output<typeof submitObservations>> {
    const message = messageOf(input, by, this.clock.nowMs())
    const accepted = message.observations.length
    if (accepted > 0)
      await this.store.store({
        subject: `${OBSERVATION_STREAM.subject}.${message.organization_id}.${message.project_id}`,
        id: messageId(message),
        body: new TextEncoder().encode(JSON.stringify(message)),
        headers: {},
      })
    return { accepted, ignored: input.items.length - accepted }
  }
}
