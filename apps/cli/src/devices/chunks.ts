import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { BearingClient } from '@bearing/client/client'
import type { Cli } from '../session/cli.js'
import { ID, verb } from '../session/verb.js'
import { count, counted, second } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import { UsageError } from '../ground/usage-error.js'
import { addLimit, type LimitFlag, idFrom } from '../ground/arguments.js'
import { checkDestination, saveDownload } from '../session/save-download.js'

interface Flags {
  readonly device: string
  readonly hardwareVersion?: string
  readonly softwareType?: string
  readonly softwareVersion?: string
}

verb('chunks upload', { examples: ['crash.bin --device DEVICE-0001'] }, (command, cli) =>
  command
    .description(
      'send files as chunks of a device, in order; with the project key, which is looked up if another credential may read it',
    )
    .argument('<files...>', 'one file for each chunk')
    .requiredOption('-d, --device <serial>', 'serial number of the device')
    .option('--hardware-version <version>', 'hardware version that the device reports')
    .option('--software-type <type>', 'software type that the device reports')
    .option('--software-version <version>', 'software version that the device reports')
    .action(async (files: string[], flags: Flags) => {
      const client = await projectKeyClient(cli)
      const { output, terminal } = cli
      const facts = {
        device_serial: flags.device,
        hardware_version: flags.hardwareVersion,
        software_type: flags.softwareType,
        software_version: flags.softwareVersion,
      }
      using progress = startProgress(output, 'Sending', files.length)
      let bytes = 0
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
      output.done(`${counted(files.length, 'chunk')} stored.`)
      output.record(
        { Device: flags.device, Chunks: count(files.length), Bytes: count(bytes) },
        { device_serial: flags.device, chunks: files.length, bytes },
      )
    }),
)

/** Devices send with the project key: other credentials look it up first. */
async function projectKeyClient(cli: Cli): Promise<BearingClient> {
  const session = await cli.session()
  if (session.selected.credential.kind === 'project_key') return session.client
  const { organization, project } = session
  const { api_key: key } = await session.client.call('showProjectKey', { organization, project })
  return cli.clientOf(session.url.value, undefined, { kind: 'project_key', key })
}

async function read(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException // what node:fs throws
    throw new UsageError(`${file} cannot be read (${code ?? 'unknown error'}).`)
  }
}

verb('chunks list', { examples: ['DEVICE-0001'] }, (command, cli) =>
  addLimit(command)
    .description('list the chunks of a device, in the order in which it sent them')
    .argument('<serial>', 'serial number of the device')
    .action(async (device_serial: string, { limit }: LimitFlag) => {
      const { client, organization, project } = await cli.session()
      const sent = await client.listAll('listChunks', { organization, project, device_serial }, { limit })
      cli.output.table(
        sent,
        { Received: ({ received_at }) => second(received_at), Bytes: 'size', Id: 'id' },
        'No chunks of this device. Send some: bearing chunks upload <file> --device <serial>',
      )
    }),
)

interface DownloadChunkFlags {
  readonly device: string
  readonly output?: string
  readonly force?: boolean
}

verb('chunks download', { examples: [`${ID} --device DEVICE-0001 --output crash.bin`] }, (command, cli) =>
  command
    .description('download a chunk as the device sent it')
    .argument('<id>', 'id of the chunk, from "bearing chunks list"', idFrom('bearing chunks list'))
    .requiredOption('-d, --device <serial>', 'serial number of the device')
    .option('--output <file>', 'output file, also -o; "-" is standard output (default: chunk-<id>)')
    .option('-f, --force', 'overwrite an existing file')
    .action(
      async (chunk_id: string, { device, output: path = `chunk-${chunk_id}`, force }: DownloadChunkFlags) => {
        const { client, organization, project } = await cli.session()
        await checkDestination(cli, { path, force })
        const of = { organization, project, device_serial: device, chunk_id }
        if (!(await saveDownload(cli, { path }, client.download('readChunk', of)))) return
        cli.output.done(`${path} written.`)
        cli.output.record({ File: path }, { id: chunk_id, device_serial: device, file: path })
      },
    ),
)
