import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { askSecret } from './ask-secret.js'

/** `bearing totp confirm` */
export function addConfirmTotp(totp: Command, cli: Cli): void {
  totp
    .command('confirm')
    .description(
      'turn the second factor on; a code of the authenticator is asked for, or read from standard input',
    )
    .action(async () => {
      const { client } = await cli.session()
      const confirmed = await client.call('confirmTotp', { totp_code: await askSecret(cli, 'the code') })
      cli.output.done(
        'The second factor is on. The account password alone is refused from now on. Your API key keeps working, except in organizations that require a second factor: create it again for them with "bearing user-key create --second-factor".',
      )
      printRecoveryCodes(cli, confirmed)
    })
}

/** Prints recovery codes, which are never shown again. */
export function printRecoveryCodes(
  { output }: Cli,
  codes: { readonly recovery_codes: readonly string[] },
): void {
  output.notice(
    'Keep these recovery codes apart from the authenticator. Each works once; they are not shown again.',
  )
  output.record(
    Object.fromEntries(codes.recovery_codes.map((code, index) => [`Code ${String(index + 1)}`, code])),
    codes,
  )
}
