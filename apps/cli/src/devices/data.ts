import { once } from 'node:events'
import { open, type FileHandle } from 'node:fs/promises'
import type { StreamInput, StreamItem } from '@bearing/client/call-types'
import { retryTransient } from '@bearing/client/retry-transient'
import { checkFile } from '../ground/output/destination.js'
import { counted, second, size } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { sanitize } from '../ground/output/sanitize.js'
import { readMoment } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'
import type { Cli } from '../session/cli.js'
import { verb } from '../session/verb.js'

/** Longer than any line: an item has at most 64 KiB of payload, in base64. */
const TAIL_BYTES = 1_048_576

type Item = StreamItem<'readData'>
type Query = Omit<StreamInput<'readData'>, 'organization' | 'project'>

const KINDS = { '--kinds <kinds>': 'chunk, file, or both with a comma (default: both)' } as const
const AFTER = { '--after <cursor>': 'the cursor of the last item that was read' } as const

verb('data tail', {
  about: 'print what the devices of a project send, until it is interrupted',
  takes: {
    ...KINDS,
    ...AFTER,
    '--payloads': 'with the bytes of chunks in base64, with -o ndjson',
  },
  help: `Without --after it begins now. With -o ndjson, or -o json, each line is an item with the cursor to continue from.`,
  examples: ['', '-o ndjson --payloads'],
  run: async (cli, { kinds, after, payloads }) => {
    const { output } = cli
    if (output.format === 'csv' || output.format === 'yaml')
      throw new UsageError('The output has no end: use -o ndjson, or the table.')
    const since = after === undefined ? new Date(cli.terminal.now()).toISOString() : undefined
    output.say('Waiting for data.')
    const query: Query = { kinds, after, since, payloads: payloads ? 'inline' : 'none', wait: '30s' }
    for (;;)
      for await (const item of itemsOf(cli, query)) {
        query.after = item.cursor
        if (output.forPrograms) output.line(item)
        else output.print(sanitize(lineOf(item)))
      }
  },
})

verb('data export', {
  about: 'write what the devices of a project have sent, as NDJSON',
  takes: {
    '--since <time>': 'leave out what was received before: 2027-01-31 or 2027-01-31T09:00:00Z',
    ...KINDS,
    ...AFTER,
    '--no-payloads': 'without the bytes of chunks',
    '--output <file>': 'output file (default: standard output, "-")',
    '--resume': 'continue a file that an interrupted export has left',
    '-f, --force': 'overwrite an existing file',
  },
  help: `Each line is an item with a cursor; later exports continue with --after and the cursor of the last line. Chunks of more than 64 KiB
come without their bytes: bearing chunks download.`,
  examples: ['--since 2026-01-31T00:00:00Z --output data.ndjson', '--output data.ndjson --resume'],
  run: async (cli, { kinds, after, output: path = '-', resume, force, payloads, ...flags }) => {
    const since = flags.since === undefined ? undefined : readMoment('--since', flags.since)
    if (resume && path === '-') throw new UsageError('--resume needs --output <file>.')
    if (path !== '-' && !resume) await checkFile({ path, force })
    await using file = path === '-' ? undefined : await open(path, resume ? 'a+' : 'w')
    const query: Query = {
      ...{ kinds, since, payloads: payloads ? 'inline' : 'none' },
      after: file && resume ? await lastCursor(file, path) : after,
    }
    const { stdout } = cli.terminal
    using progress = startProgress(cli.output, 'Exporting', 1)
    let written = 0
    let firstMs: number | undefined
    for await (const item of itemsOf(cli, query)) {
      query.after = item.cursor
      const line = `${JSON.stringify(item)}\n`
      if (file) await file.appendFile(line)
      else if (!stdout.write(line)) await once(stdout, 'drain')
      const atMs = Date.parse(item.at)
      firstMs ??= since === undefined ? atMs : Date.parse(since)
      const part = (atMs - firstMs) / Math.max(1, cli.terminal.now() - firstMs)
      progress.update(part, counted(++written, 'item'))
    }
    cli.output.done(`${counted(written, 'item')} written${path === '-' ? '' : ` to ${path}`}.`)
  },
})

/** Reads items to the end; where the connection breaks off it continues after the last one. */
async function* itemsOf(cli: Cli, query: Query): AsyncGenerator<Item, void, undefined> {
  const { client, organization, project } = await cli.session()
  const { signal } = cli.terminal
  let items: AsyncIterator<Item> | undefined
  for (;;) {
    const next = await retryTransient(signal, async () => {
      items ??= client.stream('readData', { organization, project, ...query })[Symbol.asyncIterator]()
      try {
        return await items.next()
      } catch (error) {
        items = undefined
        throw error
      }
    })
    if (next.done) return
    yield next.value
  }
}

/** Returns the cursor of the last complete line of a file, and cuts off what follows it. */
async function lastCursor(file: FileHandle, path: string): Promise<string | undefined> {
  const { size: bytes } = await file.stat()
  const from = Math.max(0, bytes - TAIL_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes - from), 0, bytes - from, from)
  const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
  await file.truncate(from + end)
  if (end === 0 && from === 0) return undefined
  const line = buffer.toString('utf8', buffer.lastIndexOf('\n', end - 2) + 1, end)
  const cursor = /"cursor":"([^"]+)"/.exec(line)?.[1]
  if (cursor === undefined) throw new UsageError(`${path} is no export of data: its last line has no cursor.`)
  return cursor
}

function lineOf(item: Item): string {
  const what = item.kind === 'chunk' ? 'chunk' : item.file_kind
  return `${second(item.at)}  ${item.device_serial ?? '-'}  ${what}  ${size(item.size)}`
}
