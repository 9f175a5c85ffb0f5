import { BUCKETS, bucketOf } from '@bearing/contracts/counts/histogram'
import type { Service } from '@bearing/prisma/services'
import { v7 } from 'uuid'
import type { DemoDevice } from './fleet.js'

/** Target of the history. */
export interface HistoryOptions {
  /** Of the role of each service. */
  readonly databaseUrls: Readonly<Record<Service, string>>
  readonly organizationId: string
  readonly projectId: string
  /** The webhook that accepts what it is sent, and the one that fails. */
  readonly webhooks: { readonly working: string; readonly failing: string }
  /** Ids of files, which are moved back by days. */
  readonly files: readonly string[]
  readonly now: number
}

/** Something that a device sent. */
export interface Moment {
  readonly serial: string
  readonly at: number
  readonly device: DemoDevice
}

/** A transaction in the database of a service. */
export interface Rows {
  query(text: string, values: unknown[]): Promise<unknown>
}

/** Returns how many values are in each bucket. */
export function histogram(values: readonly number[]): number[] {
  const counts = Array.from({ length: BUCKETS }, () => 0)
  for (const value of values) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1
  return counts
}

/** Returns an id of a moment. */
export function idAt(msecs: number): string {
  return v7({ msecs: Math.floor(msecs) })
}

export function iso(at: number): string {
  return new Date(at).toISOString()
}
