import { stat } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import {
  faultOfColumns,
  importedDevice,
  type ImportedDevice,
} from '@bearing/contracts/management/devices/device-csv'
import type { DeviceLine } from '@bearing/files/devices/read-devices'
import { oneOf } from '../ground/arguments.js'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { count, counted } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import type { Session } from '../session/session.js'
import { UsageError } from '../ground/usage-error.js'

/** Devices of one request. */
const PER_REQUEST = 250
/** Lines that are printed; others are counted. */
const PRINTED = 1_000

interface Flags {
  readonly format: 'bearing' | 'nrf-cloud'
  readonly dryRun?: boolean | undefined
  readonly clear?: boolean | undefined
}

interface LineResult {
  readonly line: number
  readonly device_serial: string
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'failed'
  readonly changes: readonly string[]
  readonly error?: string | undefined
}

verb('devices import', {
  about: 'register devices and set their nicknames and attributes from a CSV file',
  takes: {
    '<file>': 'CSV in UTF-8; "-" for standard input',
    '--format <format>': {
      ...oneOf('nrf-cloud: the list with which devices are onboarded there', ['bearing', 'nrf-cloud']),
      initial: 'bearing',
    },
    '--dry-run': 'print what would change, and change nothing',
    '--clear': 'remove values whose cells are empty (default: keep them)',
  },
  help: `The first line names the columns: device_serial, and any of nickname and "attribute:<name>". Lines that fail do not affect the others;
the command then exits with 1. Imports are idempotent: after an interruption, import the file again.`,
  examples: ['devices.csv --dry-run'],
  run: async (cli, { file, ...flags }) => {
    const session = await cli.session()
    const report = new ImportReport()
    const size =
      file === '-'
        ? 0
        : await stat(file).then(
            ({ size }) => size,
            () => 0,
          )
    using progress = startProgress(cli.output, 'Importing', size)
    for await (const { results, bytes } of importFile(cli, session, file, flags)) {
      report.add(results)
      progress.update(bytes, counted(report.lines, 'line'))
    }
    report.print(cli, flags.dryRun === true)
  },
})

async function* importFile(
  cli: Cli,
  session: Session,
  file: string,
  { format, dryRun = false, clear = false }: Flags,
): AsyncGenerator<{ results: LineResult[]; bytes: number }> {
  const { client, organization, project } = session
  const attributes = await client.listAll('listAttributes', { organization, project })
  const declared = new Map(attributes.map(({ name, type }) => [name, type]))
  let batch: { line: number; device: ImportedDevice }[] = []
  const send = async (): Promise<LineResult[]> => {
    const sent = batch
    batch = []
    if (sent.length === 0) return []
    const devices = sent.map(({ device }) => device)
    const { data } = await retryTransient(cli.terminal.signal, () =>
      client.call('importDevices', { organization, project, dry_run: dryRun, devices }),
    )
    return data.map((outcome, index) => ({ line: sent[index]?.line ?? 0, ...outcome }))
  }
  const stdin = file === '-' ? cli.takeStdin('the devices') : cli.terminal.stdin
  const rows = readCsv(file, stdin, format, {
    check: (columns) => {
      const found = faultOfColumns(columns, declared)
      if (found) throw new UsageError(found.fault, found.hint)
    },
    has: (name) => declared.has(name),
  })
  let bytes = 0
  for await (const { line, row, ...read } of rows) {
    bytes = read.bytes
    const device = importedDevice(row, declared, clear)
    if (typeof device === 'string') {
      const device_serial = typeof row === 'string' ? '' : (row.get('device_serial') ?? '')
      yield { bytes, results: [{ line, device_serial, outcome: 'failed', changes: [], error: device }] }
      continue
    }
    // A request has each device once; the lines of a device take effect in their order.
    if (batch.some((other) => other.device.device_serial === device.device_serial))
      yield { bytes, results: await send() }
    batch.push({ line, device })
    if (batch.length >= PER_REQUEST) yield { bytes, results: await send() }
  }
  yield { bytes, results: await send() }
}

/** Counts all lines, and keeps the first ones that are worth printing. */
class ImportReport {
  lines = 0
  private readonly counts = { created: 0, changed: 0, unchanged: 0, failed: 0 }
  private readonly kept: LineResult[] = []

  add(results: readonly LineResult[]): void {
    for (const result of results) {
      this.lines++
      this.counts[result.outcome]++
      if (result.outcome !== 'unchanged' && this.kept.length < PRINTED) this.kept.push(result)
    }
  }

  print(cli: Cli, isDryRun: boolean): void {
    const { created, changed, unchanged, failed } = this.counts
    const rows = [...this.kept].sort((a, b) => a.line - b.line)
    cli.output.table(
      rows,
      {
        Line: { right: ({ line }) => String(line) },
        Serial: 'device_serial',
        Outcome: 'outcome',
        Changes: ({ changes, error }) => error ?? changes.join(', '),
      },
      null,
      { dry_run: isDryRun, ...this.counts, lines: rows },
    )
    const shown = created + changed + failed
    if (shown > rows.length) cli.output.say(`${count(rows.length)} of ${count(shown)} lines are shown.`)
    const verb = isDryRun ? 'Would create' : 'Created'
    const text = `${verb} ${counted(created, 'device')}, ${isDryRun ? 'change' : 'changed'} ${count(changed)}; ${count(unchanged)} unchanged, ${count(failed)} failed.`
    if (failed === 0) cli.output.done(text)
    else {
      cli.output.notice(text)
      cli.exitCode = 1
    }
  }
}

/** Bytes that are read at a time. */
const PIECE_BYTES = 65_536

interface CsvRow extends DeviceLine {
  /** Bytes of the file that were read, about. */
  readonly bytes: number
}

/**
 * Reads a CSV file of devices row by row.
 *
 * @param stdin read if the path is "-"
 * @param check verifies the columns before the first row
 * @param has whether an attribute is declared
 * @throws UsageError if the file cannot be read; UnusableFileError if it has no header
 */
async function* readCsv(
  path: string,
  stdin: NodeJS.ReadableStream,
  format: Flags['format'],
  { check, has }: { check: (columns: readonly string[]) => void; has: (attribute: string) => boolean },
): AsyncGenerator<CsvRow> {
  // Loaded on demand, because few commands on devices read a file.
  const { readDevices } = await import('@bearing/files/devices/read-devices')
  const progress = { bytes: 0 }
  const name = path === '-' ? 'Standard input' : path
  const bytes = bytesOf(path, stdin, progress)
  const rows =
    format === 'bearing'
      ? readDevices(bytes, name, check)
      : (await import('@bearing/files/devices/read-nrf-cloud')).readNrfCloud(bytes, has)
  for await (const row of rows) yield { ...row, bytes: progress.bytes }
}

async function* bytesOf(
  path: string,
  stdin: NodeJS.ReadableStream,
  progress: { bytes: number },
): AsyncGenerator<Buffer> {
  const input = path === '-' ? stdin : createReadStream(path, { highWaterMark: PIECE_BYTES })
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      progress.bytes += piece.length
      yield piece
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // streams throw these
    if (code === undefined) throw error
    throw new UsageError(`${path} cannot be read (${code}).`)
  }
}
