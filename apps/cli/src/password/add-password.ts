import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addRequestLink } from './request-link.js'
import { addSetPassword } from './set-password.js'

export function addPassword(program: Command, cli: Cli): void {
  const group = program.command('password').description('your password')
  addSetPassword(group, cli)
  addRequestLink(group, cli)
}
