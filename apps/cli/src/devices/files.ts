import { createHash } from 'node:crypto'
import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/data/file'
import type { CallOutput } from '@bearing/client/call-types'
import { Option } from 'commander'
import { ID, verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { addLimit, type LimitFlag, idFrom } from '../ground/arguments.js'
import { moment, size, count } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { checkDestination, saveDownload } from '../session/save-download.js'
import type { StoredFile } from './uploads/put-file.js'

verb('coredumps list', { examples: ['--device DEVICE-0001 -L 10'] }, (command, cli) =>
  addLimit(command)
    .description('list the coredumps of a project, newest first')
    .option('-d, --device <serial>', 'only coredumps of this device')
    .action(async ({ device: device_serial, limit }: LimitFlag & { device?: string }) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listCoredumps', { organization, project, device_serial }, { limit })
      cli.output.table(
        found,
        {
          Id: 'id',
          Kind: 'kind',
          Device: (file) => file.device_serial ?? '–',
          Software: softwareOf,
          Size: { right: (file) => size(file.size) },
          Name: 'name',
          Uploaded: 'created_at',
        },
        'No coredumps. Upload one: bearing coredumps upload <file> --device <serial>',
      )
    }),
)

interface Flags extends LimitFlag {
  readonly device?: string
  readonly kind?: FileKind
  readonly softwareType?: string
  readonly softwareVersion?: string
}

verb('files list', { examples: ['--kind symbols'] }, (command, cli) =>
  addLimit(command)
    .description('list the files of a project, newest first')
    .option('-d, --device <serial>', 'only files of this device')
    .addOption(new Option('--kind <kind>', 'only files of this kind').choices(FILE_KINDS))
    .option('--software-type <type>', 'only files of this software type')
    .option('--software-version <version>', 'only files of this software version')
    .action(async ({ device, kind, softwareType, softwareVersion, limit }: Flags) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll(
        'listFiles',
        {
          ...{ organization, project, kind, device_serial: device },
          ...{ software_type: softwareType, software_version: softwareVersion },
        },
        { limit },
      )
      cli.output.table(
        found,
        {
          Id: 'id',
          Kind: (file) => file.kind,
          Device: (file) => file.device_serial ?? '–',
          Size: { right: (file) => size(file.size) },
          Name: 'name',
          Uploaded: 'created_at',
        },
        'No files. Upload some: bearing coredumps upload <file>, or bearing symbols upload <file>',
      )
    }),
)

interface DownloadFlags {
  readonly output?: string
  readonly force?: boolean
}

for (const noun of ['coredump', 'file'] as const) {
  verb(`${noun}s show`, { examples: [ID] }, (command, cli) =>
    command
      .description(`show a ${noun}`)
      .argument('<id>', `id of the ${noun}`, idFrom(`bearing ${noun}s list`))
      .action(async (file_id: string) => {
        const { client, organization, project } = await cli.session()
        const file = await client.call('showFile', { organization, project, file_id })
        cli.output.record(
          {
            Id: file.id,
            Kind: file.kind,
            Device: file.device_serial ?? '–',
            Hardware: file.hardware_version ?? '–',
            Software: softwareOf(file),
            Bytes: count(file.size),
            'SHA-256': file.sha256,
            Name: file.name ?? '–',
            Uploaded: moment(file.created_at),
          },
          file,
        )
      }),
  )

  verb(
    `${noun}s download`,
    { examples: [`${ID} --output ${noun === 'file' ? 'file' : 'core'}.bin`] },
    (command, cli) =>
      command
        .description(`download a ${noun}; it may contain memory of the device`)
        .argument('<id>', `id of the ${noun}`, idFrom(`bearing ${noun}s list`))
        .option('--output <file>', 'output file, also -o; "-" is standard output (default: <kind>-<id>)')
        .option('-f, --force', 'overwrite an existing file')
        .action(async (file_id: string, flags: DownloadFlags) => {
          await download(cli, file_id, flags)
        }),
  )

  verb(
    `${noun}s delete`,
    { examples: [ID], question: `Delete the ${noun}? This cannot be undone.` },
    (command, cli) =>
      command
        .description(`delete a ${noun}; this cannot be undone`)
        .argument('<id>', `id of the ${noun}`, idFrom(`bearing ${noun}s list`))
        .action(async (file_id: string) => {
          const { client, organization, project } = await cli.session()
          await client.call('deleteFile', { organization, project, file_id })
          cli.output.done('File deleted.')
        }),
  )
}

async function download(cli: Cli, file_id: string, { output: path, force }: DownloadFlags): Promise<void> {
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
}

/** The software of a file, for people. */
function softwareOf({
  software_type,
  software_version,
}: Pick<CallOutput<'showFile'>, 'software_type' | 'software_version'>): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}

/** Passes bytes on, shows progress, and verifies the digest at the end. */
async function* checked(
  { output }: Cli,
  file: StoredFile,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  using progress = startProgress(output, 'Downloading', file.size)
  const hash = createHash('sha256')
  let done = 0
  for await (const piece of bytes) {
    hash.update(piece)
    done += piece.length
    progress.update(done, `${size(done)} of ${size(file.size)}`)
    yield piece
  }
  if (hash.digest('hex') !== file.sha256)
    throw new Error('The downloaded bytes differ from the uploaded file (SHA-256). Download the file again.')
}
