import { createHash } from 'node:crypto'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { size } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { checkDestination, saveDownload } from '../output/save-download.js'
import type { StoredFile } from '../uploads/upload-file.js'

interface Flags {
  readonly output?: string
  readonly force?: boolean
}

export function addDownloadFile(group: Command, cli: Cli, noun: 'coredump' | 'file'): void {
  group
    .command('download')
    .description(`download a ${noun}; it may contain memory of the device`)
    .argument('<id>', `id of the ${noun}`, idFrom(`bearing ${noun}s list`))
    .option('--output <file>', 'output file, also -o; "-" is standard output (default: <kind>-<id>)')
    .option('-f, --force', 'overwrite an existing file')
    .action(async (file_id: string, { output: path, force }: Flags) => {
      const { client, organization, project } = await cli.session()
      const file = await client.call('showFile', { organization, project, file_id })
      const into = { path: path ?? `${file.kind}-${file.id}`, force }
      await checkDestination(cli, into)
      const bytes = checked(cli, file, client.download('downloadFile', { organization, project, file_id }))
      if (!(await saveDownload(cli, into, bytes))) return
      cli.output.done(`${into.path} written.`)
      cli.output.record(
        { File: into.path, Size: size(file.size), 'SHA-256': file.sha256 },
        { ...file, file: into.path },
      )
    })
}

/** Passes bytes on, shows progress, and verifies the digest at the end. */
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
    throw new Error('The downloaded bytes differ from the uploaded file (SHA-256). Download the file again.')
}
