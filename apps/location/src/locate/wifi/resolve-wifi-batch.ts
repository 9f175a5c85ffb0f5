import { setImmediate as nextTurn } from 'node:timers/promises'
import { OperationError } from '@bearing/contracts/errors'
import { readable } from '@bearing/contracts/location/access-points/heard-access-point'
import { allGiven } from '@bearing/contracts/location/access-points/left-out'
import { isUsableBssid } from '@bearing/contracts/location/access-points/mac-address'
import type { WifiScan } from '@bearing/contracts/location/lookups/wifi'
import { UsualScan } from '@bearing/contracts/location/scans/usual-scan'
import { resolveWifiBatch, type ScanOutcome } from '@bearing/contracts/location/lookups/wifi-batch'
import type { Input, Output } from '@bearing/contracts/operation'
import { remainingMs } from '@bearing/nats/call-context'
import { Handle } from '@bearing/nats/handle'
import { inputError } from '@bearing/nats/validate'
import { followedOf } from '@bearing/positioning/following/earlier-scans'
import { Controller } from '@nestjs/common'
import type { z } from 'zod'
import type { Scope } from '../../ground/scope.js'
import { AccessPointReader } from '../access-points/access-point-reader.js'
import { problemOf } from '../scan-problem.js'
import { WifiAnswers } from './wifi-answers.js'

/** Scans that are searched at the same time: they wait for a provider, or for their position to be stored. */
const CONCURRENT = 16
/**
 * Access points of the scans that are located in one turn of the event loop, without waiting: about a millisecond. With fewer, more batches
 * are under way at the same time, and garbage collection copies the numbers of all of them.
 */
const ACCESS_POINTS_A_TURN = 2_000
/** With less time left, in milliseconds, no scan is begun. */
const LEAST_MS = 1_000

type ReadScan = z.output<typeof WifiScan> | OperationError

/** Resolves Wi-Fi scans, each as a request of its own would be. */
@Controller()
export class ResolveWifiBatch {
  constructor(
    private readonly answers: WifiAnswers,
    private readonly accessPoints: AccessPointReader,
  ) {}

  /** An error that is not about a scan, such as a database that is away, is that of the whole batch. */
  @Handle(resolveWifiBatch)
  async execute({
    scans,
    ...scope
  }: Input<typeof resolveWifiBatch>): Promise<Output<typeof resolveWifiBatch>> {
    const read = scans.map((scan): ReadScan => (scan.success ? scan.data : inputError(scan.error)))
    const results: ScanOutcome[] = []
    await this.addFirst(scope, read, results)
    if (results.length < read.length) {
      // One read for all scans: the searches find them in the cache.
      const addresses = addressesOf(read.slice(results.length))
      await this.accessPoints.prefetch(scope.organization_id, addresses)
      await this.addFirst(scope, read, results)
      await this.addRest(scope, read, results)
    }
    return { results }
  }

  /** Adds outcomes until a scan cannot be located without waiting. */
  private async addFirst(scope: Scope, scans: readonly ReadScan[], results: ScanOutcome[]): Promise<void> {
    let located = 0
    for (const scan of scans.slice(results.length)) {
      if (located >= ACCESS_POINTS_A_TURN) {
        await nextTurn()
        located = 0
      }
      if (!(scan instanceof UsualScan) || (located === 0 && remainingMs() < LEAST_MS)) return
      const location = this.answers.now(scope, scan)
      if (location === undefined) return
      results.push({ location })
      located += scan.received
    }
  }

  /** Adds the other outcomes. */
  private async addRest(scope: Scope, scans: readonly ReadScan[], results: ScanOutcome[]): Promise<void> {
    const waiting = [...scans.entries()].slice(results.length).values()
    const work = async (): Promise<void> => {
      for (const [index, scan] of waiting) {
        // Other requests have their turn between two scans. In the order of the scans, or more would pass the limit of `BaseLayerSearches`.
        await nextTurn()
        results[index] = await this.outcomeOf(scope, scan)
      }
    }
    await Promise.all(Array.from({ length: CONCURRENT }, work))
  }

  private async outcomeOf(scope: Scope, scan: ReadScan): Promise<ScanOutcome> {
    try {
      if (scan instanceof OperationError) throw scan
      if (remainingMs() < LEAST_MS)
        throw new OperationError('deadline_exceeded', 'There was no time left for this scan. Send it again.')
      return { location: await this.answers.of(scope, scan) }
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      return { error: problemOf(error) }
    }
  }
}

function* addressesOf(scans: readonly ReadScan[]): Generator<number> {
  for (const scan of scans)
    if (!(scan instanceof OperationError))
      for (const sent of [scan, ...followedOf(allGiven(scan.previousScans), ({ age }) => age)])
        for (const { macAddress } of readable(sent.accessPoints ?? []))
          if (isUsableBssid(macAddress)) yield macAddress
}
