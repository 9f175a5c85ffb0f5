import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { endLogin } from './end-login.js'

export function addLogout(program: Command, cli: Cli): void {
  program
    .command('logout')
    .description('sign out: end the session of the context, and delete its token')
    .action(async () => {
      const { context } = cli.profile
      const signedOut = context !== undefined && (await endLogin(cli, context))
      if (signedOut) cli.output.done(`Signed out of ${context.url}.`)
      else cli.output.say('You were not signed in.')
      if (cli.output.forPrograms) cli.output.record({}, { signed_out: signedOut })
    })
}
