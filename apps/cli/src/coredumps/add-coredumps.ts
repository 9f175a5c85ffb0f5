import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { count, moment, size } from '../output/format.js'
import { addDownloadCoredump } from './download-coredump.js'

/** `bearing coredumps list`, `show`, `download` and `delete` */
export function addCoredumps(program: Command, cli: Cli): void {
  const coredumps = program.command('coredumps').description('the coredumps of a project')
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
  coredumps
    .command('show')
    .description('show a coredump')
    .argument('<id>', 'id of the coredump')
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
    })
  addDownloadCoredump(coredumps, cli)
  coredumps
    .command('delete')
    .description('delete a coredump or another file; this cannot be undone')
    .argument('<id>', 'id of the coredump')
    .action(async (file_id: string) => {
      const { client, organization, project } = await cli.session()
      await client.call('deleteFile', { organization, project, file_id })
      cli.output.done('File deleted.')
    })
}

function softwareOf({
  software_type,
  software_version,
}: Pick<CallOutput<'showFile'>, 'software_type' | 'software_version'>): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}
