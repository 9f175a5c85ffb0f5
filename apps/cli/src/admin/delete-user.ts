import { deleteUser } from '@bearing/contracts/identity/people/user'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { withOperator } from './with-operator.js'

/** `bearing admin users delete` */
export function addDeleteUser(admin: Command, cli: Cli): void {
  const users = admin.command('users').description('user accounts; for operators, over NATS')
  users
    .command('delete')
    .description('delete a user account; for operators, over NATS')
    .argument('<user>', 'email address or user id')
    .option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
    .addHelpText(
      'after',
      `
Its credentials stop at every gateway within a second, and its memberships end. Organization tokens that the user created
stay. It cannot be undone. The last admin of an organization cannot be deleted.`,
    )
    .action(async (user: string, { natsUrl }: { natsUrl?: string }) => {
      const request = user.includes('@') ? { email: user } : { user_id: user }
      const deleted = await withOperator(cli, natsUrl, (operator) => operator.call(deleteUser, request))
      cli.output.done('User deleted.')
      cli.output.record({ 'E-mail': deleted.email, Id: deleted.user_id }, deleted)
    })
}
