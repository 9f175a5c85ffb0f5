import type { Command } from 'commander'
import type { CallOutput } from '@bearing/client/call-types'
import type { Cli } from '../cli.js'
import { idFrom } from '../id-argument.js'
import { count } from '../output/format.js'

/** `bearing devices deletions show` and `stop` */
export function addDeletions(devices: Command, cli: Cli): void {
  const deletions = devices.command('deletions').description('deletions of many devices')
  const print = (shown: CallOutput<'showDeviceDeletion'>) => {
    cli.output.record(
      { Id: shown.id, State: shown.state, Deleted: count(shown.deleted), Matched: count(shown.total) },
      shown,
    )
  }
  deletions
    .command('show')
    .description('show the progress of a deletion')
    .argument('<id>', 'id of the deletion', idFrom('bearing devices delete'))
    .action(async (deletion_id: string) => {
      const { client, organization, project } = await cli.session()
      print(await client.call('showDeviceDeletion', { organization, project, deletion_id }))
    })
  deletions
    .command('stop')
    .description('stop a deletion; devices that were deleted stay deleted')
    .argument('<id>', 'id of the deletion', idFrom('bearing devices delete'))
    .action(async (deletion_id: string) => {
      const { client, organization, project } = await cli.session()
      const stopped = await client.call('stopDeviceDeletion', { organization, project, deletion_id })
      cli.output.done('Deletion stopped.')
      print(stopped)
    })
}
