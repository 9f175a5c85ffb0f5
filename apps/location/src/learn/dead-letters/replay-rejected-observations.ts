import { replayRejectedObservations } from '@bearing/contracts/location/observations/rejected-observation'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import type { StoredMessage } from '@bearing/nats/stored-stream'
import { DeadLetters } from '@bearing/service/store/dead-letters'
import { Controller } from '@nestjs/common'
import { recordAudit } from '../../ground/audit-log.js'
import { Database } from '../../ground/database.js'
import { LearnObservations } from '../learn-observations.js'
import { readSubmission, type Submission } from '../submission.js'
import { permanentFailure } from '../permanent-failure.js'
import { ownerOf } from './dead-letters.js'

@Controller()
export class ReplayRejectedObservations {
  constructor(
    private readonly rejected: DeadLetters,
    private readonly learn: LearnObservations,
    private readonly database: Database,
  ) {}

  @Handle(replayRejectedObservations)
  async execute(
    { numbers }: Input<typeof replayRejectedObservations>,
    by: Principal,
  ): Promise<Output<typeof replayRejectedObservations>> {
    return this.rejected.replay(numbers, (letter) => this.learnFrom(letter, by))
  }

  /** @returns why not */
  private async learnFrom(letter: StoredMessage, by: Principal): Promise<string | undefined> {
    const submission = readable(letter.body)
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
          target: ['rejected_observations', String(letter.number)],
          organizationId: ownerOf(letter).organization_id,
          details: { observations: submission.length },
        }),
      ),
    )
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
