import { exportedFrom } from '@bearing/contracts/location/observations/exported-observation'
import { findObservations } from '@bearing/contracts/location/observations/observation'
import type { Input, Output } from '@bearing/contracts/operation'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Database } from '../../ground/database.js'
import { idOfNamed } from './message-of.js'

/** Reports which observations are stored already. */
@Controller()
export class FindObservations {
  constructor(private readonly database: Database) {}

  /** A copy is known if the organization has it or its original. */
  @Handle(findObservations)
  async execute(input: Input<typeof findObservations>): Promise<Output<typeof findObservations>> {
    const { organization_id: organizationId, ids: names } = input
    const ids = names.map((name) => [idOfNamed(input, name), exportedFrom(name) ?? []].flat())
    const rows = await this.database.observation.findMany({
      where: { organizationId, id: { in: ids.flat() } },
      select: { id: true },
    })
    const stored = new Set(rows.map(({ id }) => id))
    return { known: ids.map((some) => some.some((id) => stored.has(id))) }
  }
}
