import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addChangePassword } from './change-password.js'
import { addRequestPasswordReset } from './request-password-reset.js'
import { addResetPassword } from './reset-password.js'

export function addPassword(program: Command, cli: Cli): void {
  const group = program.command('password').description('your password')
  addChangePassword(group, cli)
  addRequestPasswordReset(group, cli)
  addResetPassword(group, cli)
}
