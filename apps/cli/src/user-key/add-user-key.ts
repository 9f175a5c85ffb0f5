import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addCreateUserKey } from './create-user-key.js'
import { addDeleteUserKey } from './delete-user-key.js'
import { addShowUserKey } from './show-user-key.js'

export function addUserKey(program: Command, cli: Cli): void {
  const group = program.command('user-key').description('your API key')
  addCreateUserKey(group, cli)
  addShowUserKey(group, cli)
  addDeleteUserKey(group, cli)
}
