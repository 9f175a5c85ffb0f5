import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addRotateProjectKey } from './rotate-project-key.js'
import { addEndGrace } from './end-grace.js'
import { addShowProjectKey } from './show-project-key.js'

export function addProjectKey(program: Command, cli: Cli): void {
  const group = program.command('project-key').description('the project key, which devices send')
  addShowProjectKey(group, cli)
  addRotateProjectKey(group, cli)
  addEndGrace(group, cli)
}
