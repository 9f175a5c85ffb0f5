import {
  faultOfColumns,
  importedDevice,
  type DeclaredTypes,
  type ImportedDevice,
} from '@bearing/contracts/management/devices/device-csv'
import { UnusableFileError } from '@bearing/files/unusable-file-error'
import { client } from '../ground/client.js'

/** Devices of one request. */
const PER_REQUEST = 250
/** Lines that are listed; others are counted. */
const LISTED = 100

/** Outcome of a line of an import. */
export interface LineResult {
  readonly line: number
  readonly device_serial: string
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'failed'
  readonly changes: readonly string[]
  readonly error?: string | undefined
}

/** Outcome of an import so far, or of its dry run. */
export interface ImportReport {
  readonly bytes: number
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  /** The first lines that change or fail. */
  readonly lines: readonly LineResult[]
}

export const EMPTY_REPORT: ImportReport = {
  bytes: 0,
  created: 0,
  changed: 0,
  unchanged: 0,
  failed: 0,
  lines: [],
}

export interface ImportOptions {
  readonly organization: string
  readonly project: string
  readonly declared: DeclaredTypes
  /** True if empty cells remove values. */
  readonly clear: boolean
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/**
 * Imports a CSV file of devices in batches, so that its size does not matter.
 *
 * @returns the report after each batch
 * @throws UnusableFileError if its header is not one of an import; the errors of a call
 */
export async function* importFile(file: File, options: ImportOptions): AsyncGenerator<ImportReport> {
  const { organization, project, declared, clear, dryRun, signal } = options
  let report = EMPTY_REPORT
  let batch: { line: number; device: ImportedDevice }[] = []
  const send = async () => {
    const sent = batch
    batch = []
    if (sent.length === 0) return
    const devices = sent.map(({ device }) => device)
    const input = { organization, project, dry_run: dryRun, devices }
    const { data } = await client.call('importDevices', input, { signal })
    report = withResults(
      report,
      data.map((outcome, index) => ({ line: sent[index]?.line ?? 0, ...outcome })),
    )
  }
  // Loaded when a file was chosen: the reader of CSV is large.
  const { readDevices } = await import('@bearing/files/devices/read-devices')
  let bytes = 0
  const chunks = bytesOf(file, (read) => (bytes += read))
  for await (const { line, row } of readDevices(chunks, 'The file', (columns) => check(columns, declared))) {
    signal.throwIfAborted()
    report = { ...report, bytes }
    const device = importedDevice(row, declared, clear)
    if (typeof device === 'string') {
      const device_serial = typeof row === 'string' ? '' : (row.get('device_serial') ?? '')
      report = withResults(report, [{ line, device_serial, outcome: 'failed', changes: [], error: device }])
      continue
    }
    // A request has each device once; the lines of a device take effect in their order.
    if (batch.some((other) => other.device.device_serial === device.device_serial)) await send()
    batch.push({ line, device })
    if (batch.length < PER_REQUEST) continue
    await send()
    yield report
  }
  await send()
  yield { ...report, bytes: file.size }
}

function check(columns: readonly string[], declared: DeclaredTypes): void {
  const found = faultOfColumns(columns, declared)
  if (found) throw new UnusableFileError([found.fault, found.hint].filter(Boolean).join(' '))
}

function withResults(report: ImportReport, results: readonly LineResult[]): ImportReport {
  const counts = { ...report }
  const lines = [...report.lines]
  for (const result of results) {
    counts[result.outcome]++
    if (result.outcome !== 'unchanged' && lines.length < LISTED) lines.push(result)
  }
  return { ...counts, lines: lines.sort((a, b) => a.line - b.line) }
}

/** Reads the bytes of a file; browsers do not all iterate streams. */
async function* bytesOf(file: File, onRead: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    onRead(next.value.length)
    yield next.value
  }
}
