import { replayRejectedObservations } from '@bearing/contracts/location/rejected-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Database } from '../../ground/database.js'
import { LearnObservations } from '../learn-observations.js'
import { readSubmission, type Submission } from '../submission.js'
import { permanentFailure } from '../permanent-failure.js'
import { ownerOf, DeadLetters } from './dead-letters.js'

@Controller()
export class ReplayRejectedObservations {
  constructor(
    private readonly rejected: DeadLetters,
    private readonly learn: LearnObservations,
    private readonly database: Database,
  ) {}

  /** Learns first and deletes then: a dead letter that a crash leaves behind can be replayed again and counts once. */
  @Handle(replayRejectedObservations)
  async execute(
    { numbers }: Input<typeof replayRejectedObservations>,
    by: Principal,
  ): Promise<Output<typeof replayRejectedObservations>> {
    return this.rejected.replay(numbers, (number) => this.replay(number, by))
  }

  /** @returns why not */
  private async replay(number: number, by: Principal): Promise<string | undefined> {
    const message = await this.rejected.from(number)
    if (message?.number !== number) return 'there are no such observations'
    const submission = readable(message.body)
    if (!submission) return 'it cannot be read'
    try {
      const postponed = await this.learn.execute([submission])
      if (postponed.length > 0) return 'its layer is being rebuilt; try again later'
    } catch (error) {
      const reason = permanentFailure(error)
      if (reason === undefined) throw error
      return reason
    }
    await this.database.transaction((transaction) =>
      Promise.resolve(
        recordAudit(transaction, by, {
          action: 'rejected_observations.replayed',
          target: ['rejected_observations', String(number)],
          organizationId: ownerOf(message).organization_id,
          details: { observations: submission.length },
        }),
      ),
    )
    await this.rejected.delete(number)
    return undefined
  }
}

function readable(body: Uint8Array): Submission | undefined {
  try {
    return readSubmission(body)
  } catch {
    return undefined
  }
}
