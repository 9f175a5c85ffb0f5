import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import type { ErrorReport } from '../error-report.js'
import { retryTransient } from '../retry-transient.js'
import type { HeardAccessPoint, Scan } from './parse-scans.js'

/** Concurrent scans. */
const IN_FLIGHT = 8

export type Location = NonNullable<CallOutput<'resolveWifiLocation'>>

/** The result of one scan. */
export type Located =
  ({ readonly scan: number } & Location) | { readonly scan: number; readonly error: ErrorReport }

/** How scans are located. */
export interface Locator {
  readonly resolve: (accessPoints: HeardAccessPoint[]) => Promise<Location>
  readonly report: (error: unknown) => ErrorReport
  readonly signal: AbortSignal
  /** Called with the number of processed scans, and of those with a position. */
  readonly onProgress: (done: number, found: number) => void
}

/**
 * Locates scans concurrently. A scan without a position is a row with its error. Any other error, such as a rejected
 * credential, stops it: no further scan is sent, and the remaining rows have that error.
 *
 * @returns a row for each scan, in order; `scan` counts from 1
 * @throws such an error if no position was found yet
 */
export async function locateScans(scans: readonly Scan[], locator: Locator): Promise<Located[]> {
  const rows = new Array<Located | undefined>(scans.length).fill(undefined)
  let next = 0
  let done = 0
  let found = 0
  let ended: { readonly error: unknown } | undefined
  const work = async (): Promise<void> => {
    while (next < scans.length && !ended) {
      const index = next++
      const scan = scans[index]
      if (!scan) continue
      try {
        rows[index] = await locateOne(scan, index + 1, locator)
        if ('lat' in rows[index]) found++
      } catch (error) {
        ended ??= { error }
      }
      locator.onProgress(++done, found)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  if (ended && (found === 0 || locator.signal.aborted)) throw ended.error
  return rows.map((row, index) => row ?? { scan: index + 1, error: locator.report(ended?.error) })
}

async function locateOne(scan: Scan, number: number, locator: Locator): Promise<Located> {
  if ('mistake' in scan)
    return { scan: number, error: { message: scan.mistake, code: 'not_a_scan', exit_code: 1 } }
  try {
    const location = await retryTransient(locator.signal, () => locator.resolve(scan.accessPoints))
    return { scan: number, ...location }
  } catch (error) {
    if (error instanceof ProblemError && isAboutTheScan(error))
      return { scan: number, error: locator.report(error) }
    throw error
  }
}

function isAboutTheScan({ status, code }: ProblemError): boolean {
  return code === 'location_not_found' || status === 400 || status === 413 || status === 500
}
