import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { asCode, askSecret } from './ask-secret.js'
import { printRecoveryCodes } from './confirm-totp.js'

/** `bearing totp recovery-codes` */
export function addRenewRecoveryCodes(totp: Command, cli: Cli): void {
  totp
    .command('recovery-codes')
    .description(
      'get new recovery codes in place of those before; a code is asked for, or read from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const renewed = await client.call('renewRecoveryCodes', asCode(await askSecret(cli, 'the code')))
      cli.output.done('Recovery codes renewed. Those before do not work any more.')
      printRecoveryCodes(cli, renewed)
    })
}
