import { setTimeout as sleep } from 'node:timers/promises'
import type { CallOutput } from '@bearing/client/call-types'
import { ProblemError } from '@bearing/client/errors'
import { MAX_BATCH_BYTES, MAX_BATCH_SCANS } from '@bearing/contracts/location/lookups/wifi-batch'
import type { ErrorReport } from '../../session/error-report.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { GroundFix, Scan, WifiScan } from './parse-scans.js'

/** Concurrent requests. */
const IN_FLIGHT = 4
/** Part of a batch for everything around its scans, in bytes. */
const ENVELOPE_BYTES = 1_024
/** Attempts for scans of a batch that the server could not answer. */
const ATTEMPTS = 5
/** Errors of a scan that may be gone when it is sent again. */
const TRANSIENT: readonly string[] = [
  'rate_limited',
  'overloaded',
  'deadline_exceeded',
  'service_unavailable',
]

export type Location = NonNullable<CallOutput<'resolveGroundFix'>> | (Outcome['location'] & object)
type Outcome = CallOutput<'resolveWifiBatch'>['results'][number]

/** The result of one scan. */
export type Located =
  ({ readonly scan: number } & Location) | { readonly scan: number; readonly error: ErrorReport }

/** Functions that locate scans. */
export interface Locator {
  readonly resolveBatch: (scans: readonly WifiScan[]) => Promise<readonly Outcome[]>
  readonly resolveGroundFix: (request: GroundFix) => Promise<Location>
  readonly report: (error: unknown) => ErrorReport
  readonly signal: AbortSignal
  /** Called with the number of processed scans, and of those with a position. */
  readonly onProgress: (done: number, found: number) => void
}

interface Numbered<Kind> {
  readonly index: number
  readonly one: Kind
}

/**
 * Locates scans: Wi-Fi scans in batches of up to 100, requests with cells one by one. A scan without a position is a row with its
 * error. Any other error, such as a rejected credential, stops it: nothing further is sent, and the remaining rows have that error.
 *
 * @returns a row for each scan, in order; `scan` counts from 1
 * @throws such an error if no position was found yet
 */
export async function locateScans(scans: readonly Scan[], locator: Locator): Promise<Located[]> {
  const rows = new Array<Located | undefined>(scans.length).fill(undefined)
  let ended: { readonly error: unknown } | undefined
  const found = () => rows.filter((row) => row && !('error' in row)).length
  const note = (index: number, row: Location | { readonly error: ErrorReport }) => {
    rows[index] = { scan: index + 1, ...row }
  }
  const jobs = jobsOf(scans, locator, note)
  let done = scans.length - jobs.reduce((sum, { size }) => sum + size, 0)
  const waiting = jobs.values()
  const work = async (): Promise<void> => {
    for (const job of waiting) {
      if (ended) return
      try {
        await job.run()
      } catch (error) {
        ended ??= { error }
      }
      locator.onProgress((done += job.size), found())
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  if (ended && (found() === 0 || locator.signal.aborted)) throw ended.error
  return rows.map((row, index) => row ?? { scan: index + 1, error: locator.report(ended?.error) })
}

type Note = (index: number, row: Location | { readonly error: ErrorReport }) => void

interface Job {
  /** Number of its scans. */
  readonly size: number
  readonly run: () => Promise<void>
}

function jobsOf(scans: readonly Scan[], locator: Locator, note: Note): Job[] {
  const jobs: Job[] = []
  const wifi: Numbered<WifiScan>[] = []
  scans.forEach((one, index) => {
    if ('mistake' in one) note(index, { error: { message: one.mistake, code: 'not_a_scan', exit_code: 1 } })
    else if ('groundFix' in one)
      jobs.push({ size: 1, run: () => locateGroundFix({ index, one: one.groundFix }, locator, note) })
    else wifi.push({ index, one })
  })
  for (const batch of batchesOf(wifi))
    jobs.push({ size: batch.length, run: () => locateBatch(batch, locator, note) })
  return jobs
}

/** Divides scans by number and bytes. A scan that is too large alone is sent alone, and refused by the server. */
function* batchesOf(scans: readonly Numbered<WifiScan>[]): Generator<readonly Numbered<WifiScan>[]> {
  let batch: Numbered<WifiScan>[] = []
  let left = MAX_BATCH_BYTES - ENVELOPE_BYTES
  for (const scan of scans) {
    const bytes = Buffer.byteLength(JSON.stringify(scan.one)) + 256
    if (batch.length > 0 && (batch.length === MAX_BATCH_SCANS || bytes > left)) {
      yield batch
      batch = []
      left = MAX_BATCH_BYTES - ENVELOPE_BYTES
    }
    batch.push(scan)
    left -= bytes
  }
  if (batch.length > 0) yield batch
}

async function locateBatch(
  batch: readonly Numbered<WifiScan>[],
  locator: Locator,
  note: Note,
): Promise<void> {
  for (let [left, attempt] = [batch, 1]; left.length > 0; attempt++) {
    const asked = left
    const results = await retryTransient(locator.signal, () =>
      locator.resolveBatch(asked.map(({ one }) => one)),
    )
    let waitS = 0
    left = asked.filter(({ index }, at) => {
      const { location, error } = results[at] ?? {}
      if (location) note(index, location)
      else if (error && attempt < ATTEMPTS && TRANSIENT.includes(error.code)) {
        waitS = Math.max(waitS, error.retry_after ?? attempt)
        return true
      } else note(index, { error: reportOf(error) })
      return false
    })
    if (left.length > 0) await sleep(waitS * 1_000, undefined, { signal: locator.signal })
  }
}

function reportOf(error: Outcome['error']): ErrorReport {
  if (!error) return { message: 'The reply has no outcome for this scan.', code: 'no_outcome', exit_code: 1 }
  const { code, detail, reason, errors } = error
  return { message: detail, code, reason, ...(errors && { errors }), exit_code: 1 }
}

async function locateGroundFix(
  { index, one }: Numbered<GroundFix>,
  locator: Locator,
  note: Note,
): Promise<void> {
  try {
    note(index, await retryTransient(locator.signal, () => locator.resolveGroundFix(one)))
  } catch (error) {
    if (!(error instanceof ProblemError) || !isAboutTheScan(error)) throw error
    note(index, { error: locator.report(error) })
  }
}

function isAboutTheScan({ status, code }: ProblemError): boolean {
  return code === 'location_not_found' || status === 400 || status === 413 || status === 500
}
