import type { CallOutput } from '@bearing/client/call-types'
import { ORGANIZATION_TOKEN } from '@bearing/contracts/principal'
import { verb } from '../session/verb.js'
import { EXIT } from '../session/cli.js'
import { moment } from '../ground/output/format.js'
import { isCredentialGiven, warningOfPreceding } from '../session/select-credential.js'
import { endLogin } from './end-login.js'

verb('logout', {
  about: 'sign out: end the session of the context, and delete its token',
  run: async (cli) => {
    const { context } = await cli.profile()
    const signedOut = context !== undefined && (await endLogin(cli, context))
    if (signedOut) cli.output.done(`Signed out of ${context.url}.`)
    else cli.output.say('You were not signed in.')
    if (cli.output.forPrograms) cli.output.record({}, { signed_out: signedOut })
  },
})

verb('auth status', {
  about: 'show the server and the credential that commands use, and whether it works',
  run: async (cli) => {
    if (!(await cli.hasCredential())) {
      cli.output.say('You are not signed in. "bearing login" signs in with the browser.')
      if (cli.output.forPrograms) cli.output.record({}, { signed_in: false })
      cli.exitCode = EXIT.unauthenticated
      return
    }
    const session = await cli.session()
    const principal = await session.client.call('whoAmI', {})
    const isLogin = session.selected.credential.kind === 'login'
    const { expires_at } = isLogin ? await session.client.call('showSession', {}) : { expires_at: undefined }
    const { context } = await cli.profile()
    cli.output.record(
      {
        Server: session.url.value,
        Context: context?.name,
        'Signed in as': holderOf(principal),
        Credential: session.selected.description,
        'Stored in': isLogin ? context?.stored_in : undefined,
        'Ends, unless used': expires_at && moment(expires_at),
      },
      {
        signed_in: true,
        server: session.url.value,
        context: context?.name ?? null,
        credential: session.selected.description,
        stored_in: isLogin ? context?.stored_in : null,
        expires_at: expires_at ?? null,
        principal,
      },
    )
    const preceding = warningOfPreceding(cli.terminal.environment.settings)
    if (preceding !== undefined && !isLogin && !isCredentialGiven(cli.flags) && context?.stored_in)
      cli.output.notice(`You are signed in with "bearing login" too. ${preceding}`)
  },
})

function holderOf(principal: CallOutput<'whoAmI'>): string {
  switch (principal.kind) {
    case 'user':
      return principal.email
    case ORGANIZATION_TOKEN:
      return `organization token "${principal.description}"`
    case 'project_key':
      return 'project key'
    case 'device':
      return `device ${principal.device_serial}`
    case 'service':
      return principal.name
  }
}
