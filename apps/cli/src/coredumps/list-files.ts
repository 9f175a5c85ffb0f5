import { FILE_KINDS, type FileKind } from '@bearing/contracts/management/file'
import { Option, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment, size } from '../output/format.js'
import { addFileCommands } from './file-commands.js'

/** `bearing files list`, `show`, `download` and `delete` */
export function addFiles(program: Command, cli: Cli): void {
  const files = program.command('files').description('the files of a project: coredumps, symbols and others')
  files
    .command('list')
    .description('list the files of a project, newest first')
    .option('--device <serial>', 'only files of this device')
    .addOption(new Option('--kind <kind>', 'only files of this kind').choices(FILE_KINDS))
    .action(async ({ device: device_serial, kind }: { device?: string; kind?: FileKind }) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listFiles', { organization, project, device_serial, kind })
      cli.output.table(found, [
        ['Id', ({ id }) => id],
        ['Kind', (file) => file.kind],
        ['Device', (file) => file.device_serial ?? '–'],
        ['Size', (file) => size(file.size), 'right'],
        ['Name', ({ name }) => name ?? '–'],
        ['Uploaded', ({ created_at }) => moment(created_at)],
      ])
    })
  addFileCommands(files, cli, 'file')
}
