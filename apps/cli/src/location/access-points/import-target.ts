import type { showImport } from '@bearing/contracts/location/access-points/access-point-import'
import type { Output } from '@bearing/contracts/operation'

/** An import on the server. */
export type Import = Output<typeof showImport>

/** The field with the rows of a batch. */
export type PackedField = 'packed' | 'packed_cells'

/** The destination of an import. All calls are idempotent. */
export interface ImportTarget {
  readonly begin: (content: Import['content'], digest: string) => Promise<Import>
  /** @param packed the rows, as base64 (`packed-rows.ts` or `packed-cells.ts` of the contracts) */
  readonly append: (importId: string, batch: number, packed: string) => Promise<void>
  readonly commit: (
    importId: string,
    sent: { readonly batches: number; readonly rows: number },
  ) => Promise<Import>
  readonly show: (importId: string) => Promise<Import>
  readonly close: () => Promise<void>
}
