import { splitRow } from '@bearing/contracts/csv-row'
import {
  faultOfColumns,
  importedDevice,
  MAX_ROW_LENGTH,
  readDeviceRow,
  type DeclaredTypes,
  type ImportedDevice,
} from '@bearing/contracts/management/device-csv'
import { client } from '../ground/client.js'

/** Devices of one request. */
const PER_REQUEST = 250
/** Lines that are listed; others are counted. */
const LISTED = 100

/** What an import does with a line. */
export interface LineResult {
  readonly line: number
  readonly device_serial: string
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'failed'
  readonly changes: readonly string[]
  readonly error?: string | undefined
}

/** What an import has done so far, or would do. */
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
  /** Whether empty cells remove values. */
  readonly clear: boolean
  readonly dryRun: boolean
  readonly signal: AbortSignal
}

/** The file is none that can be imported. */
export class UnusableFileError extends Error {
  override readonly name = 'UnusableFileError'
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
  let columns: string[] | undefined
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
  for await (const { line, text, bytes } of linesOf(file)) {
    signal.throwIfAborted()
    report = { ...report, bytes }
    if (!columns) {
      columns = columnsOf(text, declared)
      continue
    }
    const row = readDeviceRow(text, columns)
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
  if (!columns) throw new UnusableFileError('The file is empty.')
  await send()
  yield { ...report, bytes: file.size }
}

function columnsOf(header: string, declared: DeclaredTypes): string[] {
  const columns = splitRow(header)?.map((name) => name.trim())
  if (!columns) throw new UnusableFileError('The first line is no header: its quotes are unbalanced.')
  const found = faultOfColumns(columns, declared)
  if (found) throw new UnusableFileError([found.fault, found.hint].filter(Boolean).join(' '))
  return columns
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

/** Reads the lines of a file that are not empty. A byte order mark is left out. */
async function* linesOf(file: File): AsyncGenerator<{ line: number; text: string; bytes: number }> {
  const reader = file.stream().getReader()
  const decoder = new TextDecoder()
  let [rest, line, bytes] = ['', 0, 0]
  for (;;) {
    const { done, value } = await reader.read()
    bytes += value?.length ?? 0
    const lines = (rest + (value ? decoder.decode(value, { stream: true }) : decoder.decode())).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    // Nothing that long is a row; what follows of it is not kept.
    if (rest.length > MAX_ROW_LENGTH) rest = rest.slice(0, MAX_ROW_LENGTH + 1)
    for (const text of lines) {
      line++
      const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text
      if (trimmed.trim() !== '') yield { line, text: trimmed, bytes }
    }
    if (done) return
  }
}
