import { ProblemError } from '@bearing/client/errors'
import { retryTransient } from '@bearing/client/retry-transient'
import { count, counted, size } from '../../ground/output/format.js'
import type { Output } from '../../ground/output/output.js'
import { startProgress } from '../../ground/output/progress.js'
import { UsageError } from '../../ground/usage-error.js'
import type { Cli } from '../../session/cli.js'
import { verb } from '../../session/verb.js'
import { withImportFiles, type ImportFile } from '../access-points/import-file.js'
import { printSkipped, Tally } from '../tally.js'
import { cutSubmissions } from './cut-submissions.js'
import { LEFT_OUT, type LeftOut, type Observation } from './observation-of.js'
import { readObservations } from './read-observations.js'

/** The result of one file. */
interface Submitted {
  readonly file: string
  readonly state: 'submitted' | 'dry_run'
  readonly observations: number
  /** Scans that the file has: `observations`, by the name that programs look for. */
  readonly read: number
  /** Sent by an earlier run, or in another file. */
  readonly already_there: number
  readonly sent: number
  /** Of the sent ones: stored, and unusable for learning. Null: nothing was sent. */
  readonly accepted: number | null
  readonly ignored: number | null
  readonly left_out: Readonly<Record<LeftOut, number>>
  /** First of each reason: the line of its first row, in JSON its number. */
  readonly first_lines: Readonly<Partial<Record<LeftOut, number>>>
}

/** The project that observations are sent to. */
interface Destination {
  readonly send: (items: Observation[]) => Promise<{ accepted: number; ignored: number }>
  /** Returns true if all were learned from. */
  readonly hasAll: (items: Observation[]) => Promise<boolean>
}

verb('observations submit', {
  about: 'contribute scans with known positions for learning',
  takes: {
    '<files...>':
      'geosubmit JSON lines, WiGLE CSV as WiGLE and Kismet write it, wifis.csv or cells.csv of NeoStumbler, or CSV of TowerCollector; plain or gzip; "-" is standard input',
    '-d, --device <name>': 'device of scans that name none; used to detect copies of old readings',
    '--dry-run': 'only read the files, and print what would be sent',
  },
  help: `Files are read in constant memory and sent in submissions of up to 1,000. Each observation counts once, identified by its
"id", else by its content, so the command is idempotent: run it again after an interruption. It asks what was learned
already and resumes behind it. Rows of CSV with the same second and position are one scan.
Names of networks stay on this machine; those that end in _nomap or have _optout in them are left out.`,
  examples: ['scans.jsonl --dry-run'],
  run: async (cli, { files: paths, ...flags }) => {
    const destination = flags.dryRun ? undefined : await openDestination(cli)
    const done: Submitted[] = []
    try {
      await withImportFiles(cli, paths, async (files) => {
        for (const file of files) done.push(await submitFile(cli, file, flags.device, destination))
      })
    } catch (error) {
      if (done.length > 0) printSubmitted(cli.output, done)
      throw error
    }
    printSubmitted(cli.output, done)
  },
})

async function openDestination(cli: Cli): Promise<Destination> {
  const { client, organization, project } = await cli.session()
  const { signal } = cli.terminal
  return {
    send: (items) =>
      retryTransient(signal, () => client.call('submitObservations', { organization, project, items })),
    hasAll: async (items) => {
      const ids = items.map(({ id }) => id)
      try {
        const asked = () => client.call('findObservations', { organization, project, ids })
        const { known } = await retryTransient(signal, asked)
        return known.every(Boolean)
      } catch (error) {
        // The gateway is of an earlier version.
        if (error instanceof ProblemError && error.code === 'route_not_found') return false
        throw error
      }
    },
  }
}

/** The results of a file so far. */
class Sums {
  sent = 0
  accepted = 0
  ignored = 0
  alreadyThere = 0
  /**
   * Submissions are sent in order: after the first missing one all are sent without a check. That one is sent as a whole,
   * because each observation is compared with the previous one.
   */
  private mayBeThere = true

  async submit(items: Observation[], destination: Destination | undefined): Promise<void> {
    this.mayBeThere &&= (await destination?.hasAll(items)) ?? false
    if (this.mayBeThere) {
      this.alreadyThere += items.length
      return
    }
    const { accepted, ignored } = (await destination?.send(items)) ?? { accepted: 0, ignored: 0 }
    this.sent += items.length
    this.accepted += accepted
    this.ignored += ignored
  }
}

/** Sends in order, because old readings are detected best in their order. */
async function submitFile(
  { output, terminal }: Cli,
  file: ImportFile,
  device: string | undefined,
  destination: Destination | undefined,
): Promise<Submitted> {
  const tally = new Tally(LEFT_OUT)
  const pieces = readObservations(file, tally, { signal: terminal.signal, device })
  using progress = startProgress(output, file.name, file.bytes)
  const sums = new Sums()
  for await (const items of cutSubmissions(pieces)) {
    await sums.submit(items, destination)
    const { sent, alreadyThere } = sums
    const there = alreadyThere > 0 ? `, ${count(alreadyThere)} were there already` : ''
    progress.update(
      tally.bytes,
      `${size(tally.bytes)} of ${size(file.bytes)}, ${counted(sent, 'observation')} ${destination ? 'sent' : 'read'}${there}`,
    )
  }
  if (sums.sent + sums.alreadyThere === 0) throw nothingIn(file, tally)
  const done = sums.sent === 0 ? 'already submitted' : 'submitted'
  output.done(`${file.name}: ${destination ? done : 'read. Nothing was sent'}.`)
  return {
    file: file.name,
    state: destination ? 'submitted' : 'dry_run',
    observations: tally.records,
    read: tally.records,
    already_there: sums.alreadyThere,
    sent: sums.sent,
    accepted: destination ? sums.accepted : null,
    ignored: destination ? sums.ignored : null,
    left_out: tally.skipped,
    first_lines: tally.firstLines,
  }
}

function nothingIn({ name }: ImportFile, { account }: Tally<LeftOut>): UsageError {
  return new UsageError(
    `${name} contains no observation that can be sent.`,
    account ?? 'It contains no observations.',
  )
}

function printSubmitted(output: Output, done: readonly Submitted[]): void {
  const countOrNone = (number: number | null) => (number === null ? '–' : count(number))
  output.table(
    done,
    {
      File: 'file',
      State: ({ state }) => state.replace('_', ' '),
      Observations: 'observations',
      'There already': 'already_there',
      Sent: 'sent',
      Accepted: { right: ({ accepted }) => countOrNone(accepted) },
      Ignored: { right: ({ ignored }) => countOrNone(ignored) },
    },
    null,
    done,
  )
  if (output.forPrograms) return
  const files = done.map(({ left_out, ...rest }) => ({ ...rest, skipped: left_out }))
  printSkipped(output, files, LEFT_OUT, ['Left out', 'Observations'])
}
