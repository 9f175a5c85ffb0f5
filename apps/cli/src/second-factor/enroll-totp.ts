import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { askSecret } from './ask-secret.js'

export function addEnrollTotp(totp: Command, cli: Cli): void {
  totp
    .command('enroll')
    .description(
      'start to set up an authenticator; prompts for the account password, or reads it from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const password = await askSecret(cli, 'the account password')
      const begun = await client.call('enrollTotp', { password })
      cli.output.done(
        'Add this to your authenticator, then run "bearing totp confirm" with one of its codes.',
      )
      cli.output.qrCode(begun.uri)
      cli.output.record({ Secret: begun.secret, Address: begun.uri }, begun)
    })
}
