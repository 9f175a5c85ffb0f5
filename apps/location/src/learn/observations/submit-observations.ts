import { submitObservations } from '@bearing/contracts/location/observations/observation'
import type { Input, Output } from '@bearing/contracts/operation'
import { OBSERVATION_STREAM } from '@bearing/contracts/nats/streams'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { QueueShares } from '@bearing/nats/queue-shares'
import { Clock } from '@bearing/service/ground/clock'
import { Controller } from '@nestjs/common'
import { ObservationQuotas } from './observation-quotas.js'
import { messageId, messageOf } from './message-of.js'

/** Queues contributed scans. Answers when JetStream has stored them. */
@Controller()
export class SubmitObservations {
  constructor(
    private readonly queue: QueueShares,
    private readonly quotas: ObservationQuotas,
    private readonly clock: Clock,
  ) {}

  @Handle(submitObservations)
  async execute(
    input: Input<typeof submitObservations>,
    { kind }: Principal,
  ): Promise<Output<typeof submitObservations>> {
    const { message, reasons, errors } = messageOf(
      input,
      { kind, address: currentCall()?.clientAddress ?? '' },
      this.clock.nowMs(),
    )
    const accepted = message.observations.length
    if (accepted > 0) {
      const body = new TextEncoder().encode(JSON.stringify(message))
      await this.quotas.take(message, body.length)
      try {
        await this.queue.add(message.organization_id, {
          subject: `${OBSERVATION_STREAM.subject}.${message.organization_id}.${message.project_id}`,
          id: messageId(message),
          body,
          headers: {},
        })
      } catch (error) {
        // The client sends them again; they count then.
        await this.quotas.notStored(message, body.length)
        throw error
      }
    }
    const ignored = input.items.length - accepted
    return {
      accepted,
      ignored,
      ...(ignored > 0 && { reasons }),
      ...(errors.length > 0 && { errors: [...errors] }),
    }
  }
}
