import { once } from 'node:events'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Cli } from '../cli.js'
import { UsageError } from '../usage-error.js'

/** Where a download goes. */
export interface Destination {
  /** A file, or "-": standard output. */
  readonly path: string
  /** Whether a file that is there is replaced. */
  readonly force?: boolean | undefined
}

/**
 * Makes sure, before anything is asked for, that a download can go there.
 *
 * @throws UsageError where a file is there, or a document has to go to standard output as well
 */
export async function checkDestination({ output }: Cli, { path, force = false }: Destination): Promise<void> {
  if (path === '-' && output.json)
    throw new UsageError('The bytes and a JSON document cannot both go to standard output.')
  if (path !== '-' && !force && (await exists(path)))
    throw new UsageError(`${path} is there already.`, 'Give --output another name, or --force.')
}

/**
 * Writes a download. A file appears once all of it is there, and nobody else can read it.
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
  return true
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
