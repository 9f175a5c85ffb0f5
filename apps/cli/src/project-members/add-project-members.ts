import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addListProjectMembers } from './list-project-members.js'
import { addRemoveProjectMember } from './remove-project-member.js'
import { addSetProjectMember } from './set-project-member.js'

export function addProjectMembers(program: Command, cli: Cli): void {
  const group = program.command('project-members').description('the members of a project')
  addListProjectMembers(group, cli)
  addSetProjectMember(group, cli)
  addRemoveProjectMember(group, cli)
}
