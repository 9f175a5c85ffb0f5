import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { BearingClient } from '@bearing/client/client'
import type { Cli } from '../session/cli.js'
import { ID, verb, listVerb } from '../session/verb.js'
import { count, counted, second } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { retryTransient } from '@bearing/client/retry-transient'
import { unreadable } from '../ground/usage-error.js'
import { idOf, required } from '../ground/arguments.js'
import { checkDestination, saveDownload } from '../session/save-download.js'

verb('chunks upload', {
  about:
    'send files as chunks of a device, in order; with the project key, which is looked up if another credential may read it',
  takes: {
    '<files...>': 'one file for each chunk',
    '-d, --device <serial>': required('serial number of the device'),
    '--hardware-version <version>': 'hardware version that the device reports',
    '--software-type <type>': 'software type that the device reports',
    '--software-version <version>': 'software version that the device reports',
  },
  examples: ['crash.bin --device DEVICE-0001'],
  run: async (cli, { files, ...flags }) => {
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
  },
})

/** Devices send with the project key: other credentials look it up first. */
async function projectKeyClient(cli: Cli): Promise<BearingClient> {
  const session = await cli.session()
  if (session.selected.credential.kind === 'project_key') return session.client
  const { organization, project } = session
  const { api_key: key } = await session.client.call('showProjectKey', { organization, project })
  return cli.clientOf(session.url.value, undefined, { kind: 'project_key', key })
}

async function read(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(
    await readFile(file).catch((error: unknown) => {
      throw unreadable(file, error)
    }),
  )
}

listVerb('chunks list', {
  about: 'list the chunks of a device, in the order in which it sent them',
  takes: { '<serial>': 'serial number of the device' },
  examples: ['DEVICE-0001'],
  list: 'listChunks',
  input: ({ serial: device_serial }) => ({ device_serial }),
  columns: { Received: ({ received_at }) => second(received_at), Bytes: 'size', Id: 'id' },
  empty: 'No chunks of this device. Send some: bearing chunks upload <file> --device <serial>',
})

verb('chunks download', {
  about: 'download a chunk as the device sent it',
  takes: {
    '<id>': idOf('id of the chunk, from "bearing chunks list"', 'bearing chunks list'),
    '-d, --device <serial>': required('serial number of the device'),
    '--output <file>': 'output file, also -o; "-" is standard output (default: chunk-<id>)',
    '-f, --force': 'overwrite an existing file',
  },
  examples: [`${ID} --device DEVICE-0001 --output crash.bin`],
  run: async (cli, { id: chunk_id, device, output: path = `chunk-${chunk_id}`, force }) => {
    const { client, organization, project } = await cli.session()
    await checkDestination(cli, { path, force })
    const of = { organization, project, device_serial: device, chunk_id }
    if (!(await saveDownload(cli, { path }, client.download('readChunk', of)))) return
    cli.output.done(`${path} written.`)
    cli.output.record({ File: path }, { id: chunk_id, device_serial: device, file: path })
  },
})
