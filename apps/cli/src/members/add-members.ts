import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addListMembers } from './list-members.js'
import { addRemoveMember } from './remove-member.js'
import { addSetMember } from './set-member.js'

export function addMembers(program: Command, cli: Cli): void {
  const group = program.command('members').description('the members of an organization')
  addListMembers(group, cli)
  addSetMember(group, cli)
  addRemoveMember(group, cli)
}
