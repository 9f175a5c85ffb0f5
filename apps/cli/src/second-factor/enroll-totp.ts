import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { askSecret } from './ask-secret.js'

/** `bearing totp enroll` */
export function addEnrollTotp(totp: Command, cli: Cli): void {
  totp
    .command('enroll')
    .description(
      'begin to set up an authenticator; the account password is asked for, or read from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const password = await askSecret(cli, 'the account password')
      const begun = await client.call('enrollTotp', { password })
      cli.output.done('Put this into your authenticator, then give a code of it to "bearing totp confirm".')
      cli.output.qrCode(begun.uri)
      cli.output.record({ Secret: begun.secret, Address: begun.uri }, begun)
    })
}
