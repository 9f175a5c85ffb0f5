import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { size } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { UsageError } from '../usage-error.js'
import type { StoredFile } from '../uploads/upload-file.js'

interface Flags {
  readonly output?: string
  readonly force?: boolean
}

/** `bearing coredumps download` */
export function addDownloadCoredump(coredumps: Command, cli: Cli): void {
  coredumps
    .command('download')
    .description('download a coredump; it may hold what was in the memory of the device')
    .argument('<id>', 'id of the coredump')
    .option('-o, --output <file>', 'where to; "-" is standard output; coredump-<id> unless given')
    .option('--force', 'replace a file that is there')
    .action(async (file_id: string, { output: path, force }: Flags) => {
      const { client, organization, project } = await cli.session()
      const file = await client.call('showFile', { organization, project, file_id })
      const into = path ?? `${file.kind}-${file.id}`
      if (into === '-' && cli.output.json)
        throw new UsageError('The bytes and a JSON document cannot both go to standard output.')
      if (into !== '-' && !force && (await exists(into)))
        throw new UsageError(`${into} is there already.`, 'Give --output another name, or --force.')
      const bytes = checked(cli, file, client.download({ organization, project, file_id }))
      if (into === '-') {
        const { stdout } = cli.terminal
        for await (const piece of bytes) if (!stdout.write(piece)) await once(stdout, 'drain')
        return
      }
      await write(into, bytes)
      cli.output.done(`${into} written.`)
      cli.output.record(
        { File: into, Size: size(file.size), 'SHA-256': file.sha256 },
        { ...file, file: into },
      )
    })
}

/** Passes bytes on, shows how far they are, and makes sure at their end that they are those of the file. */
async function* checked(
  { output, terminal }: Cli,
  file: StoredFile,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const progress = startProgress(output, 'Downloading', file.size, terminal.stderr)
  const hash = createHash('sha256')
  let done = 0
  try {
    for await (const piece of bytes) {
      hash.update(piece)
      done += piece.length
      progress.update(done, `${size(done)} of ${size(file.size)}`)
      yield piece
    }
  } finally {
    progress.stop()
  }
  if (hash.digest('hex') !== file.sha256)
    throw new Error('What came is not what was uploaded: its SHA-256 is another one. Download it again.')
}

/** The file appears once all of it is there. Nobody else can read it. */
async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const part = `${path}.part`
  const file = await open(part, 'w', 0o600)
  try {
    for await (const piece of bytes) await file.writeFile(piece)
    await file.sync()
    await file.close()
    await rename(part, path)
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(part, { force: true })
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
