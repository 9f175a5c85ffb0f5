import { once } from 'node:events'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'
import { checkFile, toFile, type Destination } from './destination.js'

/**
 * Makes sure, before anything is asked for, that a download can go there.
 *
 * @throws UsageError where it cannot, where a file is there, or a document has to go to standard output as well
 */
export async function checkDestination({ output }: Cli, destination: Destination): Promise<void> {
  if (destination.path !== '-') return checkFile(destination)
  if (output.json) throw new UsageError('The bytes and a JSON document cannot both go to standard output.')
}

/**
 * Writes a download, to a file as `toFile` does.
 *
 * @returns whether it went to a file, of which there is something to tell then
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
