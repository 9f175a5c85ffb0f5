import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addProjectDeletion } from '../deletion/project-deletion.js'
import { addCreateProject } from './create-project.js'
import { addListProjects } from './list-projects.js'
import { addRenameProject } from './rename-project.js'
import { addProjectSettings } from './project-settings.js'
import { addShowProject } from './show-project.js'

export function addProjects(program: Command, cli: Cli): void {
  const group = program.command('projects').description('the projects of an organization')
  addListProjects(group, cli)
  addCreateProject(group, cli)
  addShowProject(group, cli)
  addRenameProject(group, cli)
  addProjectDeletion(group, cli)
  addProjectSettings(group, cli)
}
