import { OperationError } from '@bearing/contracts/errors'
import { appendToImport } from '@bearing/contracts/location/access-points/access-point-import'
import type { Input, Output } from '@bearing/contracts/operation'
import type { Principal } from '@bearing/contracts/principal'
import { Handle } from '@bearing/nats/handle'
import { Controller } from '@nestjs/common'
import { Clock } from '@bearing/service/ground/clock'
import { Database } from '../ground/database.js'
import { writableLayer } from '../ground/layer.js'
import { payloadOf } from './batch-payload.js'
import { ImportLimits } from './import-limits.js'
import { findImport } from './import-view.js'

/** Adds a batch of rows to an import, or replaces the batch of that number. */
@Controller()
export class AppendToImport {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: ImportLimits,
  ) {}

  @Handle(appendToImport)
  async execute(input: Input<typeof appendToImport>, by: Principal): Promise<Output<typeof appendToImport>> {
    const layer = writableLayer(input.organization_id, by)
    const { rows, packed, isCells } = payloadOf(input)
    await this.limits.refuseMoreBytes(this.database, layer)
    // SHARE: batches may be stored concurrently, but not while the import is being committed.
    const stored = await this.database.$executeRaw`
      WITH import AS (
        SELECT id FROM imports
        WHERE id = ${input.import_id}::uuid AND organization_id = ${layer}::uuid AND state = 'open'
          AND (content = 'cells') = ${isCells}
        FOR SHARE SKIP LOCKED
      )
      INSERT INTO import_batches (import_id, batch, rows, payload, stored_at)
      SELECT id, ${input.batch}::int, ${rows}::int, ${packed}, ${this.clock.now()} FROM import
      ON CONFLICT (import_id, batch)
      DO UPDATE SET rows = excluded.rows, payload = excluded.payload, stored_at = excluded.stored_at`
    if (stored > 0) return { rows }
    const { state, content } = await findImport(this.database, layer, input.import_id)
    if ((content === 'cells') !== isCells)
      throw new OperationError(
        'import_conflict',
        `The import is of ${content}. Cells are sent as "packed_cells", and everything else as "rows" or "packed".`,
      )
    throw new OperationError(
      'import_conflict',
      state === 'failed'
        ? 'The import has failed. Begin it again and send all of its batches.'
        : 'The import is being committed or done: it takes no more rows. Begin another import for more.',
    )
  }
}
