import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, counted } from '../output/format.js'
import { startProgress } from '../output/progress.js'
import { retryTransient } from '../retry-transient.js'
import { UsageError } from '../usage-error.js'

interface Flags {
  readonly device: string
  readonly hardwareVersion?: string
  readonly softwareType?: string
  readonly softwareVersion?: string
}

export function addUploadChunks(chunk: Command, cli: Cli): void {
  chunk
    .command('upload')
    .description('send files as chunks of a device, in order; with the project key')
    .argument('<files...>', 'one file for each chunk')
    .requiredOption('-d, --device <serial>', 'serial number of the device')
    .option('--hardware-version <version>', 'hardware version that the device reports')
    .option('--software-type <type>', 'software type that the device reports')
    .option('--software-version <version>', 'software version that the device reports')
    .action(async (files: string[], flags: Flags) => {
      const { client } = await cli.session()
      const { output, terminal } = cli
      const facts = {
        device_serial: flags.device,
        hardware_version: flags.hardwareVersion,
        software_type: flags.softwareType,
        software_version: flags.softwareVersion,
      }
      const progress = startProgress(output, 'Sending', files.length, terminal.stderr)
      let bytes = 0
      try {
        for (const [index, file] of files.entries()) {
          const content = await read(file)
          // A retry with the same idempotency key is stored once.
          const idempotencyKey = randomUUID()
          await retryTransient(terminal.signal, () =>
            client.call('sendChunks', facts, { bytes: content, idempotencyKey }),
          )
          bytes += content.length
          progress.update(index + 1, `${count(index + 1)} of ${counted(files.length, 'chunk')}`)
        }
      } finally {
        progress.stop()
      }
      output.done(`${counted(files.length, 'chunk')} stored.`)
      output.record(
        { Device: flags.device, Chunks: count(files.length), Bytes: count(bytes) },
        { device_serial: flags.device, chunks: files.length, bytes },
      )
    })
}

async function read(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what node:fs throws
    throw new UsageError(`${file} cannot be read (${code ?? 'unknown error'}).`)
  }
}
