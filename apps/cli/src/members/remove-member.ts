import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { USER_ARGUMENT, findUserId } from './find-user-id.js'
import { memberFields } from './list-members.js'

export function addRemoveMember(members: Command, cli: Cli): void {
  members
    .command('remove')
    .description('remove a member with all project roles; or leave, by removing yourself')
    .argument(...USER_ARGUMENT)
    .action(async (user: string) => {
      const session = await cli.session()
      const { client, organization } = session
      const user_id = await findUserId(session, user)
      const removed = await client.call('removeMember', { organization, user_id })
      cli.output.done('Member removed. Their credentials no longer work for this organization.')
      cli.output.record(memberFields(removed), removed)
    })
}
