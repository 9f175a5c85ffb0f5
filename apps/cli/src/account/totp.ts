import { moment } from '../ground/output/format.js'
import { type Cli, asCode } from '../session/cli.js'
import { verb, callVerb } from '../session/verb.js'

callVerb('totp show', {
  about: 'show whether your second factor is on, and how many recovery codes are left',
  call: 'showTotp',
  show: {
    'Second factor': (shown) =>
      shown.confirmed_at === null ? 'off' : `on since ${moment(shown.confirmed_at)}`,
    'Recovery codes left': (shown) => String(shown.recovery_codes_left),
  },
})

verb('totp enroll', {
  about:
    'start to set up an authenticator; prompts for the account password, or reads it from standard input',
  run: async (cli) => {
    const { client } = await cli.session()
    const password = await cli.askSecret('the account password')
    const begun = await client.call('enrollTotp', { password })
    cli.output.done('Add this to your authenticator, then run "bearing totp confirm" with one of its codes.')
    await cli.output.qrCode(begun.uri)
    cli.output.record({ Secret: begun.secret, Address: begun.uri }, begun)
  },
})

callVerb('totp confirm', {
  about:
    'turn on the second factor; prompts for a code of the authenticator, or reads it from standard input',
  call: 'confirmTotp',
  input: async (_, __, cli) => ({ totp_code: await cli.askSecret('the code') }),
  done: 'The second factor is on. The account password alone is no longer accepted. Your API key keeps working, except in organizations that require a second factor: for them, create it again with "bearing user-key create --second-factor".',
  after: printRecoveryCodes,
})

/** Prints recovery codes, which are shown only once. */
function printRecoveryCodes({ output }: Cli, codes: { readonly recovery_codes: readonly string[] }): void {
  output.notice(
    'Store these recovery codes apart from the authenticator. Each works once. They are shown only once.',
  )
  output.record(
    Object.fromEntries(codes.recovery_codes.map((code, index) => [`Code ${String(index + 1)}`, code])),
    codes,
  )
}

callVerb('totp delete', {
  about: 'turn off the second factor; prompts for a code or recovery code, or reads it from standard input',
  call: 'removeTotp',
  input: async (_, __, cli) => asCode(await cli.askSecret('the code')),
  done: 'The second factor is off.',
  show: {},
})

callVerb('totp recovery-codes rotate', {
  about: 'replace your recovery codes; prompts for a code, or reads it from standard input',
  call: 'renewRecoveryCodes',
  input: async (_, __, cli) => asCode(await cli.askSecret('the code')),
  done: 'Recovery codes replaced. The previous ones no longer work.',
  after: printRecoveryCodes,
})
