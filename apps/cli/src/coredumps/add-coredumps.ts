import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment, size } from '../output/format.js'
import { addFileCommands, softwareOf } from './file-commands.js'
import { addUploadCoredumps } from './upload-coredumps.js'

/** `bearing coredumps upload`, `list`, `show`, `download` and `delete` */
export function addCoredumps(program: Command, cli: Cli): void {
  const coredumps = program.command('coredumps').description('the coredumps of a project')
  addUploadCoredumps(coredumps, cli)
  addLimit(coredumps.command('list'))
    .description('list the coredumps of a project, newest first')
    .option('-d, --device <serial>', 'only coredumps of this device')
    .action(async ({ device: device_serial, limit }: LimitFlag & { device?: string }) => {
      const { client, organization, project } = await cli.session()
      const found = await client.listAll('listCoredumps', { organization, project, device_serial }, { limit })
      cli.output.table(
        found,
        [
          ['Id', ({ id }) => id],
          ['Kind', ({ kind }) => kind],
          ['Device', (file) => file.device_serial ?? '–'],
          ['Software', softwareOf],
          ['Size', (file) => size(file.size), 'right'],
          ['Name', ({ name }) => name ?? '–'],
          ['Uploaded', ({ created_at }) => moment(created_at)],
        ],
        'No coredumps. Upload one: bearing coredumps upload <file> --device <serial>',
      )
    })
  addFileCommands(coredumps, cli, 'coredump')
}
