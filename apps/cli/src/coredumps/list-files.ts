import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/data/file'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment, size } from '../output/format.js'
import { addFileCommands } from './file-commands.js'

interface Flags extends LimitFlag {
  readonly device?: string
  readonly kind?: FileKind
  readonly softwareType?: string
  readonly softwareVersion?: string
}

/** `bearing files list`, `show`, `download` and `delete` */
export function addFiles(program: Command, cli: Cli): void {
  const files = program.command('files').description('the files of a project: coredumps, symbols and others')
  addLimit(files.command('list'))
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
        [
          ['Id', ({ id }) => id],
          ['Kind', (file) => file.kind],
          ['Device', (file) => file.device_serial ?? '–'],
          ['Size', (file) => size(file.size), 'right'],
          ['Name', ({ name }) => name ?? '–'],
          ['Uploaded', ({ created_at }) => moment(created_at)],
        ],
        'No files. Upload some: bearing coredumps upload <file>, or bearing symbols upload <file>',
      )
    })
  addFileCommands(files, cli, 'file')
}
