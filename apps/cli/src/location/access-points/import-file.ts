import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from '../../ground/usage-error.js'
import type { Cli } from '../../session/cli.js'

/** Small pieces are collected as young garbage; with 1 MiB, collection took 20 % of the time. */
const CHUNK_BYTES = 65_536

/** A file to import, after the first read. */
export interface ImportFile {
  /** Its name in messages. */
  readonly name: string
  readonly path: string
  readonly bytes: number
  /** SHA-256 over the bytes, in hexadecimal. */
  readonly digest: string
  readonly gzipped: boolean
  /** Removes its temporary copy. */
  readonly remove: () => Promise<void>
}

/**
 * Reads a file for its digest. "-" is standard input.
 *
 * @throws UsageError if it is unreadable or empty
 */
export async function openImportFile(cli: Cli, path: string): Promise<ImportFile> {
  const { signal } = cli.terminal
  return path === '-'
    ? spoolStdin(cli.takeStdin('the file'), signal)
    : inspect(path, path, () => Promise.resolve(), signal)
}

/** Opens files for some work, all of them first: a mistyped name is reported before anything is sent. @throws as {@link openImportFile} */
export async function withImportFiles(
  cli: Cli,
  paths: readonly string[],
  work: (files: readonly ImportFile[]) => Promise<void>,
): Promise<void> {
  const files: ImportFile[] = []
  try {
    for (const path of paths) files.push(await openImportFile(cli, path))
    await work(files)
  } finally {
    await Promise.all(files.map((file) => file.remove()))
  }
}

/**
 * Copies standard input to a private temporary folder, because it is read twice.
 *
 * @throws UsageError if it is empty
 */
async function spoolStdin(stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<ImportFile> {
  const folder = await mkdtemp(join(tmpdir(), 'bearing-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'stdin')
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }), { signal })
    return await inspect('standard input', path, remove, signal)
  } catch (error) {
    await remove()
    throw error
  }
}

async function inspect(
  name: string,
  path: string,
  remove: () => Promise<void>,
  signal: AbortSignal,
): Promise<ImportFile> {
  try {
    const status = await stat(path)
    if (!status.isFile())
      throw new UsageError(
        `${name} is not a file.`,
        status.isDirectory() ? 'Name the files in it.' : 'Use "-" and a pipe.',
      )
    if (status.size === 0) throw new UsageError(`${name} is empty.`)
    const hash = createHash('sha256')
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal }))
      hash.update(chunk as Buffer)
    return {
      name,
      path,
      bytes: status.size,
      digest: hash.digest('hex'),
      gzipped: await isGzipped(path),
      remove,
    }
  } catch (error) {
    if (error instanceof UsageError || signal.aborted) throw error
    const { code } = error as NodeJS.ErrnoException // node:fs throws these
    throw new UsageError(`${name} cannot be read (${code ?? 'unknown error'}).`)
  }
}

/** Detects gzip by the first bytes (RFC 1952). */
async function isGzipped(path: string): Promise<boolean> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
  return buffer[0] === 0x1f && buffer[1] === 0x8b
}

/**
 * Reads the file a second time.
 *
 * @param onBytes called with the size of each piece, before decompression
 * @throws UsageError at the end, if the content has changed
 */
export async function* rereadBytes(
  file: ImportFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const stream: Readable = createReadStream(file.path, { highWaterMark: CHUNK_BYTES, signal })
  for await (const chunk of stream) {
    const bytes = chunk as Buffer // no encoding was set
    hash.update(bytes)
    onBytes(bytes.length)
    yield bytes
  }
  if (hash.digest('hex') !== file.digest)
    throw new UsageError(
      `${file.name} changed while it was read. Nothing of it was imported; import it again.`,
    )
}
