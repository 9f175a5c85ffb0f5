import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { asCode } from './as-code.js'
import { askSecret } from './ask-secret.js'
import { printRecoveryCodes } from './confirm-totp.js'

export function addRenewRecoveryCodes(totp: Command, cli: Cli): void {
  totp
    .command('recovery-codes')
    .description('your recovery codes')
    .command('rotate')
    .description('replace your recovery codes; prompts for a code, or reads it from standard input')
    .action(async () => {
      const { client } = await cli.session()
      const renewed = await client.call('renewRecoveryCodes', asCode(await askSecret(cli, 'the code')))
      cli.output.done('Recovery codes replaced. The previous ones no longer work.')
      printRecoveryCodes(cli, renewed)
    })
}
