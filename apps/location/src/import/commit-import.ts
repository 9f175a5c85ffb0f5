import { OperationError } from '@bearing/contracts/errors'
import { commitImport } from '@bearing/contracts/location/access-points/access-point-import'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { currentCall } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { storable } from '@bearing/service/audit/audit-row'
import { recordAudit } from '../ground/audit-log.js'
import { Database } from '../ground/database.js'
import { organizationOf, writableLayer } from '../ground/layer.js'
import { CommitWorker } from './commit-worker.js'
import { countStored, findImport, viewImport, type Stored } from './import-view.js'

/** Submits a complete import, which becomes visible when it is committed. */
@Controller()
export class CommitImport {
  constructor(
    private readonly database: Database,
    private readonly worker: CommitWorker,
  ) {}

  @Handle(commitImport)
  async execute(input: Input<typeof commitImport>, by: Principal): Promise<Output<typeof commitImport>> {
    const layer = writableLayer(input.organization_id, by)
    const view = await this.database.transaction(async (transaction) => {
      const id = input.import_id
      // Waits for batches under way, and blocks others meanwhile.
      await transaction.$queryRaw`
        SELECT FROM imports
        WHERE id = ${id}::uuid AND organization_id = ${layer}::uuid AND state = 'open' FOR NO KEY UPDATE`
      const row = await findImport(transaction, layer, id)
      if (row.state === 'failed')
        throw new OperationError(
          'import_conflict',
          'The import has failed. Begin it again and send all of its batches.',
        )
      const stored = await countStored(transaction, row)
      if (stored.batches !== input.batches || stored.rows !== input.rows)
        throw new OperationError('import_conflict', difference(stored, input, row.state))
      // Requested again: it is under way or done.
      if (row.state !== 'open') return viewImport(transaction, row)
      const committing = await transaction.import.update({
        where: { id },
        data: {
          state: 'committing',
          batches: stored.batches,
          rows: stored.rows,
          commitRequestId: storable(currentCall()?.requestId ?? ''),
        },
      })
      recordAudit(transaction, by, {
        action: 'access_point_import.submitted',
        target: ['access_point_import', id],
        organizationId: organizationOf(layer),
        details: { batches: stored.batches, rows: stored.rows },
      })
      return viewImport(transaction, committing)
    })
    if (view.state === 'committing') this.worker.kick()
    return view
  }
}

type Counted = Pick<Stored, 'batches' | 'rows'>

function difference(stored: Counted, sent: Counted, state: string): string {
  const counts = `The import has ${String(stored.batches)} batches with ${String(stored.rows)} rows, not ${String(sent.batches)} with ${String(sent.rows)}.`
  return state === 'open'
    ? `${counts} Send the missing batches again, then commit; sending a batch again is idempotent.`
    : `${counts} It is being committed or done and cannot be changed any more.`
}
