import type { TakeRow } from '@bearing/contracts/location/access-points/packed-rows'
import type pg from 'pg'
import { FIELD, rowTemplate, type RowForm, type RowTemplate } from './copy-rows.js'

/** Changes that an import has made to its layer. */
export interface Changes {
  added: number
  updated: number
  /** Additional observations of the layer; less than 0 if a list has replaced some. */
  observations: number
}

/** The layer that an import goes into, and the present time. */
export interface Destination {
  readonly layer: string
  readonly now: Date
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
  /** Returns how many observations are stored for it. */
  observations(number: number): number
  clear(): void
  /**
   * Changes or removes what the layer has of these access points, and notes that.
   *
   * @param client in the transaction of the commit, which holds the lock of the layer
   * @param order all of them ({@link inOrder})
   * @returns those that the layer does not have now, in the same order
   */
  mergeKnown(client: pg.ClientBase, order: Uint32Array, changes: Changes): Promise<Uint32Array>
  /** For `access_points`: those that the layer does not have. */
  readonly added: RowForm
}

/** The columns of {@link addedTemplate}. */
export const ADDED_COLUMNS =
  'bssid, lat, lon, spread, weight, observations, organization_id, declared, updated_at'

/** Returns a row of `access_points`: of one observation, at 0° N 0° E, until something else is written. */
export function addedTemplate({ layer, now }: Destination, isDeclared: boolean): RowTemplate {
  const { number, integer, uuid, boolean, timestamp } = FIELD
  return rowTemplate([
    ...[number(), number(), number(), number(), number(), integer(1)],
    ...[uuid(layer), boolean(isDeclared), timestamp(now)],
  ])
}
