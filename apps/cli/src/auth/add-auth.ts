import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLogin } from './login.js'
import { addLogout } from './logout.js'
import { addShowStatus } from './show-status.js'

export function addAuth(program: Command, cli: Cli): void {
  addLogin(program, cli)
  addLogout(program, cli)
  addShowStatus(program.command('auth').description('show how you are signed in'), cli)
}
