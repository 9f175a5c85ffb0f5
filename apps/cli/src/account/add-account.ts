import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addDeleteAccount } from './delete-account.js'
import { addSignOns } from './sign-ons.js'

export function addAccount(program: Command, cli: Cli): void {
  const group = program.command('account').description('your user account')
  addDeleteAccount(group, cli)
  addSignOns(
    group.command('sign-ons').description('the identity providers that your account is linked with'),
    cli,
  )
}
