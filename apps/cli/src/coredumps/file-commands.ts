import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { count, moment } from '../output/format.js'
import { addDownloadFile } from './download-file.js'

/**
 * Adds `show`, `download` and `delete` of one file.
 *
 * @param noun what the group calls a file, for the help
 */
export function addFileCommands(group: Command, cli: Cli, noun: 'coredump' | 'file'): void {
  group
    .command('show')
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
    })
  addDownloadFile(group, cli, noun)
  group
    .command('delete')
    .description(`delete a ${noun}; this cannot be undone`)
    .argument('<id>', `id of the ${noun}`, idFrom(`bearing ${noun}s list`))
    .action(async (file_id: string) => {
      const { client, organization, project } = await cli.session()
      await client.call('deleteFile', { organization, project, file_id })
      cli.output.done('File deleted.')
    })
}

/** The software of a file, for people. */
export function softwareOf({
  software_type,
  software_version,
}: Pick<CallOutput<'showFile'>, 'software_type' | 'software_version'>): string {
  return [software_type, software_version].filter((part) => part !== null).join(' ') || '–'
}
