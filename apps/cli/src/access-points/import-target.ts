import type { showImport } from '@bearing/contracts/location/access-point-import'
import type { Output } from '@bearing/contracts/operation'

/** An import as the server shows it. */
export type Import = Output<typeof showImport>

/** What the rows of a batch are sent as: access points, or radio cells. */
export type PackedField = 'packed' | 'packed_cells'

/** Where access points are imported to, and how it is reached. All of it may be repeated without harm. */
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
