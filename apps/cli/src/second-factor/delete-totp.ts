import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { asCode } from './as-code.js'
import { askSecret } from './ask-secret.js'

export function addDeleteTotp(totp: Command, cli: Cli): void {
  totp
    .command('delete')
    .description(
      'turn off the second factor; prompts for a code or recovery code, or reads it from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const removed = await client.call('removeTotp', asCode(await askSecret(cli, 'the code')))
      cli.output.done('The second factor is off.')
      cli.output.record({}, removed)
    })
}
