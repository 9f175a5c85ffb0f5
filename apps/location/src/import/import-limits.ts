import { refuseBeyond } from '@bearing/contracts/counts/quota'
import type { Database, Transaction } from '../ground/database.js'
import { BASE_LAYER } from '../ground/layer.js'

/** A batch counts for at least as many bytes, so that many small ones count too. */
const LEAST_BATCH_BYTES = 8_192

/** Limits open imports of an organization, and their bytes. */
export class ImportLimits {
  constructor(
    private readonly imports: number,
    private readonly bytes: number,
  ) {}

  /**
   * Refuses one more open import. Concurrent calls wait for this transaction, so counts do not race. The base layer, which is
   * the operator's, has no limit.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseAnother(transaction: Transaction, layer: string): Promise<void> {
    if (layer === BASE_LAYER) return
    await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(${`imports:${layer}`}, 0))`
    const count = await transaction.import.count({ where: { organizationId: layer, state: 'open' } })
    const quota = {
      ...{ resource: 'imports', limit: this.imports, raised_by: 'nobody' as const },
      has: 'The organization has too many open imports',
      remedy: 'Commit one, or wait until idle imports expire after a day',
    }
    refuseBeyond(quota, count)
  }

  /**
   * Refuses one more batch where open imports have too many bytes. It is checked before each batch: batches that come at
   * the same moment can exceed the limit by their own size.
   *
   * @throws OperationError `quota_exceeded`
   */
  async refuseMoreBytes(database: Database, layer: string): Promise<void> {
    if (layer === BASE_LAYER) return
    const [used] = await database.$queryRaw<{ bytes: bigint | null }[]>`
      SELECT sum(greatest(octet_length(batch.payload), ${LEAST_BATCH_BYTES}::int))::bigint AS bytes
      FROM import_batches batch JOIN imports import ON import.id = batch.import_id
      WHERE import.organization_id = ${layer}::uuid`
    const quota = {
      ...{ resource: 'import_bytes', limit: this.bytes, raised_by: 'nobody' as const },
      has: 'The open imports of the organization have too many bytes',
      remedy: 'Commit one, or wait until idle imports expire after a day',
    }
    refuseBeyond(quota, Number(used?.bytes ?? 0))
  }
}
