import { createHash } from 'node:crypto'
import { FILE_KINDS } from '@bearing/contracts/management/data/file'
import type { CallOutput } from '@bearing/client/call-types'
import { ID, verb, callVerb, listVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { idOf, oneOf } from '../ground/arguments.js'
import { size, count } from '../ground/output/format.js'
import { startProgress } from '../ground/output/progress.js'
import { checkDestination, saveDownload } from '../session/save-download.js'
import type { StoredFile } from './uploads/put-file.js'

listVerb('coredumps list', {
  about: 'list the coredumps of a project, newest first',
  takes: { '-d, --device <serial>': 'only coredumps of this device' },
  examples: ['--device DEVICE-0001 -L 10'],
  list: 'listCoredumps',
  input: ({ device: device_serial }) => ({ device_serial }),
  columns: {
    Id: 'id',
    Kind: 'kind',
    Device: 'device_serial',
    Software: softwareOf,
    Size: { right: (file) => size(file.size) },
    Name: 'name',
    Uploaded: 'created_at',
  },
  empty: 'No coredumps. Upload one: bearing coredumps upload <file> --device <serial>',
})

listVerb('files list', {
  about: 'list the files of a project, newest first',
  takes: {
    '-d, --device <serial>': 'only files of this device',
    '--kind <kind>': oneOf('only files of this kind', FILE_KINDS),
    '--software-type <type>': 'only files of this software type',
    '--software-version <version>': 'only files of this software version',
  },
  examples: ['--kind symbols'],
  list: 'listFiles',
  input: ({ device, kind, softwareType, softwareVersion }) => ({
    kind,
    device_serial: device,
    software_type: softwareType,
    software_version: softwareVersion,
  }),
  columns: {
    Id: 'id',
    Kind: 'kind',
    Device: 'device_serial',
    Size: { right: (file) => size(file.size) },
    Name: 'name',
    Uploaded: 'created_at',
  },
  empty: 'No files. Upload some: bearing coredumps upload <file>, or bearing symbols upload <file>',
})

interface DownloadFlags {
  readonly output?: string | undefined
  readonly force?: boolean | undefined
}

for (const noun of ['coredump', 'file'] as const) {
  callVerb(`${noun}s show`, {
    about: `show a ${noun}`,
    takes: { '<id>': idOf(`id of the ${noun}`, `bearing ${noun}s list`) },
    examples: [ID],
    call: 'showFile',
    input: ({ id: file_id }) => ({ file_id }),
    show: {
      Id: 'id',
      Kind: 'kind',
      Device: 'device_serial',
      Hardware: 'hardware_version',
      Software: (file) => softwareOf(file),
      Bytes: (file) => count(file.size),
      'SHA-256': 'sha256',
      Name: 'name',
      Uploaded: 'created_at',
    },
  })

  verb(`${noun}s download`, {
    about: `download a ${noun}; it may contain memory of the device`,
    takes: {
      '<id>': idOf(`id of the ${noun}`, `bearing ${noun}s list`),
      '--output <file>': 'output file, also -o; "-" is standard output (default: <kind>-<id>)',
      '-f, --force': 'overwrite an existing file',
    },
    examples: [`${ID} --output ${noun === 'file' ? 'file' : 'core'}.bin`],
    run: async (cli, { id: file_id, ...flags }) => {
      await download(cli, file_id, flags)
    },
  })

  callVerb(`${noun}s delete`, {
    about: `delete a ${noun}; this cannot be undone`,
    takes: { '<id>': idOf(`id of the ${noun}`, `bearing ${noun}s list`) },
    examples: [ID],
    question: `Delete the ${noun}? This cannot be undone.`,
    call: 'deleteFile',
    input: ({ id: file_id }) => ({ file_id }),
    done: 'File deleted.',
  })
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
