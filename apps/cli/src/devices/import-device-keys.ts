import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CallInput } from '@bearing/client/call-types'
import { retryTransient } from '@bearing/client/retry-transient'
import { count, counted } from '../ground/output/format.js'
import { UsageError } from '../ground/usage-error.js'
import { verb } from '../session/verb.js'

type Key = CallInput<'importDeviceKeys'>['keys'][number]

/** Keys of one request. */
const PER_REQUEST = 250
/** Lines that are printed; others are counted. */
const PRINTED = 1_000
const MAX_ROW_BYTES = 65_536
/** Cells of a row of the onboarding file of nRF Cloud utilities: device id, subtype, tags, firmware types, certificate. */
const ONBOARDING_CELLS = 5

/** A key of a file, or what is wrong with its line. */
interface Line {
  readonly line: number
  readonly key: Key | string
}

verb('devices keys import', {
  about: 'register public keys of many devices from a file',
  takes: {
    '<file>':
      'CSV or NDJSON (*.ndjson) with device_serial and public_key, or an onboarding CSV of nRF Cloud utilities',
  },
  help: `A public key is PEM of it or of a certificate, or in NDJSON a JWK. Lines that fail do not affect the others; the command then
exits with 1. Imports are idempotent: after an interruption, import the file again.`,
  examples: ['onboard.csv'],
  run: async (cli, { file }) => {
    const { client, organization, project } = await cli.session()
    const counts = { created: 0, unchanged: 0, failed: 0 }
    const failed: { line: number; device_serial: string; error: string }[] = []
    const fail = (line: number, device_serial: string, error = '') => {
      counts.failed++
      if (failed.length < PRINTED) failed.push({ line, device_serial, error })
    }
    let batch: { line: number; key: Key }[] = []
    const send = async () => {
      const sent = batch
      batch = []
      if (sent.length === 0) return
      const keys = sent.map(({ key }) => key)
      const { data } = await retryTransient(cli.terminal.signal, () =>
        client.call('importDeviceKeys', { organization, project, keys }),
      )
      for (const [index, { device_serial, outcome, error }] of data.entries())
        if (outcome === 'failed') fail(sent[index]?.line ?? 0, device_serial, error)
        else counts[outcome]++
    }
    for await (const { line, key } of linesOf(file)) {
      if (typeof key === 'string') fail(line, '', key)
      else batch.push({ line, key })
      if (batch.length >= PER_REQUEST) await send()
    }
    await send()
    cli.output.table(
      failed,
      { Line: { right: ({ line }) => String(line) }, Serial: 'device_serial', Error: 'error' },
      null,
      { ...counts, lines: failed },
    )
    const text = `Registered ${counted(counts.created, 'key')}; ${count(counts.unchanged)} unchanged, ${count(counts.failed)} failed.`
    if (counts.failed === 0) cli.output.done(text)
    else {
      cli.output.notice(text)
      cli.exitCode = 1
    }
  },
})

async function* linesOf(file: string): AsyncGenerator<Line> {
  try {
    yield* /\.(?:ndjson|jsonl)$/i.test(file) ? ofNdjson(file) : ofCsv(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // streams throw these
    if (code !== 'ENOENT' && code !== 'EACCES' && code !== 'EISDIR') throw error
    throw new UsageError(`${file} cannot be read (${code}).`)
  }
}

async function* ofNdjson(file: string): AsyncGenerator<Line> {
  let line = 0
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    line++
    if (text.trim() !== '') yield { line, key: readJson(text) }
  }
}

function readJson(text: string): Key | string {
  try {
    const { device_serial, public_key } = JSON.parse(text) as Partial<Key>
    return checked(device_serial, public_key)
  } catch {
    return 'is not a JSON object'
  }
}

async function* ofCsv(file: string): AsyncGenerator<Line> {
  // Loaded on demand, because few commands on devices read a file.
  const { readCsv } = await import('@bearing/files/csv/read-csv')
  let columns: readonly [serial: number, key: number] | undefined
  for await (const rows of readCsv(createReadStream(file), { maxBytes: MAX_ROW_BYTES }))
    for (const { fields, line } of rows) {
      if (fields?.every((field) => field.trim() === '')) continue
      if (!columns) {
        const header = fields?.map((field) => field.trim()) ?? []
        const named = [header.indexOf('device_serial'), header.indexOf('public_key')] as const
        const isNamed = named.every((at) => at >= 0)
        if (!isNamed && header.length !== ONBOARDING_CELLS)
          throw new UsageError(`The header of ${file} needs the columns device_serial and public_key.`)
        columns = isNamed ? named : [0, ONBOARDING_CELLS - 1]
        if (isNamed) continue
      }
      const [serial, key] = columns
      yield {
        line,
        key: fields ? checked(fields[serial]?.trim(), fields[key]) : 'has unbalanced quotes, or is too long',
      }
    }
}

/** The server checks the key itself; a serial number that cannot be one would refuse the whole request. */
function checked(device_serial: unknown, public_key: Key['public_key'] | undefined): Key | string {
  if (typeof device_serial !== 'string' || !/^[\w-]{1,128}$/.test(device_serial))
    return 'device_serial must be 1 to 128 letters, digits, "_" and "-"'
  const isKey = typeof public_key === 'string' ? public_key.length <= 8_192 : public_key?.kty !== undefined
  if (public_key === undefined || !isKey) return 'public_key must be PEM or a JWK'
  return { device_serial, public_key }
}
