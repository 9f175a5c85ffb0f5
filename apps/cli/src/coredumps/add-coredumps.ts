import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { moment, size } from '../output/format.js'
import { addFileCommands, softwareOf } from './file-commands.js'
import { addUploadCoredumps } from './upload-coredumps.js'

/** `bearing coredumps upload`, `list`, `show`, `download` and `delete` */
export function addCoredumps(program: Command, cli: Cli): void {
  const coredumps = program
    .command('coredumps')
    .alias('coredump')
    .description('the coredumps of a project')
  addUploadCoredumps(coredumps, cli)
  coredumps
    .command('list')
    .description('list the coredumps of a project, newest first')
    .option('--device <serial>', 'only coredumps of this device')
    .action(async ({ device: device_serial }: { device?: string }) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listCoredumps', { organization, project, device_serial })
      cli.output.table(found, [
        ['Id', ({ id }) => id],
        ['Kind', ({ kind }) => kind],
        ['Device', (file) => file.device_serial ?? '–'],
        ['Software', softwareOf],
        ['Size', (file) => size(file.size), 'right'],
        ['Name', ({ name }) => name ?? '–'],
        ['Uploaded', ({ created_at }) => moment(created_at)],
      ])
    })
  addFileCommands(coredumps, cli, 'coredump')
}
