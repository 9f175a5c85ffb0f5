import type { TakeRow } from '@bearing/contracts/location/packed-rows'
import { FIELD, rowTemplate, type RowTemplate, type WriteRow } from './copy-rows.js'

/** How rows of a table are written. */
export interface RowForm {
  readonly template: RowTemplate
  readonly write: WriteRow
}

/** Rows of an import, gathered to one for each access point. */
export interface Gathering {
  readonly take: TakeRow
  /** At least as many as there are access points. */
  readonly size: number
  /** Makes room where several rows are of one access point. */
  tidy(): Generator<void, void, undefined>
  /** Numbers of the access points, in the order of their addresses. */
  inOrder(): Generator<void, Uint32Array, undefined>
  bssid(number: number): number
  /** How many observations are stored for it. */
  observations(number: number): number
  clear(): void
  /** For `access_points`: where the layer does not have it. */
  readonly added: RowForm
  /** For `gathered`: where the layer has it. */
  readonly known: RowForm
  /** Statements that merge the known ones (`merge-statements.ts`). */
  readonly merge: { readonly create: string; readonly change: string }
}

/** The columns of {@link addedTemplate}. */
export const ADDED_COLUMNS =
  'bssid, lat, lon, spread, weight, observations, organization_id, declared, updated_at'

/** A row of `access_points`: of one observation, at 0° N 0° E, until something else is written. */
export function addedTemplate(layer: string, isDeclared: boolean, now: Date): RowTemplate {
  const { number, integer, uuid, boolean, timestamp } = FIELD
  return rowTemplate([
    ...[number(), number(), number(), number(), number(), integer(1)],
    ...[uuid(layer), boolean(isDeclared), timestamp(now)],
  ])
}
