import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addDeleteSession } from './delete-session.js'
import { addListSessions } from './list-sessions.js'

export function addSessions(program: Command, cli: Cli): void {
  const group = program
    .command('sessions')
    .description('the browsers and command lines in which you are signed in')
  addListSessions(group, cli)
  addDeleteSession(group, cli)
}
