import { once } from 'node:events'
import type { Cli } from './cli.js'
import { UsageError } from '../ground/usage-error.js'
import { checkFile, toFile, type Destination } from '../ground/output/destination.js'

/**
 * Verifies, before any request, that a download can be written.
 *
 * @throws UsageError if it cannot, if the file exists, or if standard output is needed for a document
 */
export async function checkDestination({ output }: Cli, destination: Destination): Promise<void> {
  if (destination.path !== '-') return checkFile(destination)
  if (output.forPrograms)
    throw new UsageError(
      'Bytes and a document cannot both go to standard output. Use --output, or leave out --json and -o.',
    )
}

/**
 * Writes a download, to a file as `toFile` does.
 *
 * @returns whether it was written to a file
 */
export async function saveDownload(
  { terminal: { stdout } }: Cli,
  { path }: Destination,
  bytes: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  if (path === '-') {
    for await (const piece of bytes) if (!stdout.write(piece)) await once(stdout, 'drain')
    return false
  }
  await toFile(path, async (file) => {
    for await (const piece of bytes) await file.writeFile(piece)
  })
  return true
}
