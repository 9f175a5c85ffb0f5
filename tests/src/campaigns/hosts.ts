import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HostStack, TWO_OF_EACH } from '@bearing/testing/hosts/host-stack'
import {
  DISK_MEBIBYTES,
  FULL_DISK,
  natsCut,
  NATS_LEADER,
  NATS_ROLLING,
  PRIMARY_CUT,
  ZONE_SPLIT,
} from '../hosts/faults.js'
import { buildFormer } from '../hosts/former.js'
import { kills } from '../hosts/kills.js'
import { PARTITIONS_GROW } from '../hosts/partitions.js'
import { openLab, runFault, type Fault, type Outcome } from '../hosts/run-fault.js'
import { versionFaults } from '../hosts/versions.js'
import { lineOf, type Row } from './results.js'
import { ROOT } from '../tools/root.js'

/** Time for which processes are killed, in milliseconds. */
const KILLING_MS = 120_000
const DISKS = { n1: DISK_MEBIBYTES, n2: DISK_MEBIBYTES, n3: DISK_MEBIBYTES }

/** In this order: the last one leaves Postgres without its replica. */
function faultsOf(former: string): readonly Fault[] {
  return [
    NATS_ROLLING,
    NATS_LEADER,
    natsCut(40_000),
    ZONE_SPLIT,
    FULL_DISK,
    kills((_, elapsedMs) => elapsedMs < KILLING_MS),
    PARTITIONS_GROW,
    ...versionFaults(former),
    PRIMARY_CUT,
  ]
}

/** Folder for the logs of a fault whose bar was missed. */
const LOGS = join(ROOT, '.bearing', 'hosts')

/** Options of the campaign. */
export interface HostsOptions {
  /** Names of faults; none for all. */
  readonly names: readonly string[]
  /** Commit or tag of version N−1 (default: the tag before this commit, or the last change of the processes). */
  readonly former: string | undefined
  /** Gives a number from 0 up to 1. */
  readonly random: () => number
  readonly report: (line: string) => void
}

/**
 * Breaks the hosts under two of each process, one fault after the other.
 *
 * @throws where a name is no fault's
 */
export async function breakHosts(options: HostsOptions): Promise<Outcome[]> {
  const { random, report } = options
  const left = await chosen(options)
  const outcomes: Outcome[] = []
  while (left.length > 0) {
    await using stack = await HostStack.start(TWO_OF_EACH, { disks: DISKS })
    const lab = await openLab({ stack, random, report, slower: 1 }).catch(async (error: unknown) => {
      await stack.writeLogs(join(LOGS, 'start'))
      throw error
    })
    let isWhole = true
    while (isWhole) {
      const fault = left.shift()
      if (!fault) break
      const outcome = await runFault(lab, fault).catch((error: unknown) => notEnded(fault, error))
      outcomes.push(outcome)
      report(lineOf(rowOf(outcome)))
      // Hosts that did not recover would fail the next fault too.
      isWhole = hasHeld(outcome)
      if (!isWhole) await writeLogs(stack, outcome)
    }
  }
  return outcomes
}

/** Writes what the processes have printed, and which requests failed. */
async function writeLogs(stack: HostStack, { fault, failures }: Outcome): Promise<void> {
  const folder = join(LOGS, fault.name)
  await stack.writeLogs(folder)
  const time = (ms: number) => new Date(performance.timeOrigin + ms).toISOString()
  const lines = failures.map(({ startedMs, endedMs, ...sent }) =>
    JSON.stringify({ started: time(startedMs), ended: time(endedMs), ...sent }),
  )
  await writeFile(join(folder, 'failures.log'), lines.join('\n'))
}

/** Returns true if nothing was lost, and the bar held. */
export function hasHeld({ missed, wrong }: Outcome): boolean {
  return missed.length === 0 && wrong.length === 0
}

async function chosen({ names, former, report }: HostsOptions): Promise<Fault[]> {
  const all = faultsOf('').map(({ name }) => name)
  const unknown = names.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`There is no fault "${unknown}", only ${all.join(', ')}.`)
  const isChosen = ({ name }: Fault) => names.length === 0 || names.includes(name)
  const ofVersions = versionFaults('').filter(isChosen)
  if (ofVersions.length === 0) return faultsOf('').filter(isChosen)
  const root = await buildFormer(report, former)
  if (root !== undefined) return faultsOf(root).filter(isChosen)
  report('SKIPPED: the history of this checkout has no former version')
  for (const { title } of ofVersions) report(`  ${title}`)
  return faultsOf('').filter(
    (fault) => isChosen(fault) && !ofVersions.some(({ name }) => name === fault.name),
  )
}

/** The outcome as a row of the page of reliability. */
export function rowOf(outcome: Outcome): Row {
  const { fault, measured, requests, failures, acknowledged, stored, doubled, wrong, missed } = outcome
  return {
    what: fault.title,
    times: 1,
    acknowledged,
    lost: acknowledged - stored,
    doubled,
    refused: `${failures.length.toLocaleString('en')} of ${requests.toLocaleString('en')}`,
    seen: [measured, ...wrong, ...missed].filter((text) => text !== '').join('; '),
    bar: fault.bar,
    held: hasHeld(outcome),
  }
}

function notEnded(fault: Fault, error: unknown): Outcome {
  const wrong = [error instanceof Error ? error.message : String(error)]
  const none = { requests: 0, failures: [], acknowledged: 0, stored: 0, doubled: 0 }
  return { fault, measured: '', missed: [], wrong, ...none }
}
