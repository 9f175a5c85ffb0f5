import { ORGANIZATION_ROLES, type OrganizationRole } from '@bearing/contracts/principal'
import { Argument, type Command } from 'commander'
import type { Cli } from '../cli.js'
import { USER_ARGUMENT, findUserId } from './find-user-id.js'
import { memberFields } from './list-members.js'

export function addSetMember(members: Command, cli: Cli): void {
  members
    .command('set')
    .description('change the role of a member; for admins')
    .argument(...USER_ARGUMENT)
    .addArgument(new Argument('<role>', 'the new role').choices(ORGANIZATION_ROLES))
    .action(async (user: string, role: OrganizationRole) => {
      const session = await cli.session()
      const { client, organization } = session
      const user_id = await findUserId(session, user)
      const member = await client.call('setMemberRole', { organization, user_id, role })
      cli.output.done('Role changed.')
      cli.output.record(memberFields(member), member)
    })
}
