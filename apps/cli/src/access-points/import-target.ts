import type { showImport } from '@bearing/contracts/location/access-point-import'
import type { Output } from '@bearing/contracts/operation'
import type { ReadRow } from './row-reader.js'

/** An import as the server shows it. */
export type Import = Output<typeof showImport>

/** Where access points are imported to, and how it is reached. All of it may be repeated without harm. */
export interface ImportTarget {
  readonly begin: (content: Import['content'], digest: string) => Promise<Import>
  readonly append: (importId: string, batch: number, rows: readonly ReadRow[]) => Promise<void>
  readonly commit: (
    importId: string,
    sent: { readonly batches: number; readonly rows: number },
  ) => Promise<Import>
  readonly show: (importId: string) => Promise<Import>
  readonly close: () => Promise<void>
}
