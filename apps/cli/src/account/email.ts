import { verb } from '../session/verb.js'

verb('email change', {
  about: 'change the email address of your account, confirmed by links to the new and the present address',
  takes: { '<email>': 'the new email address' },
  help: `When both links have been used, the new address signs in instead of the old one, also as the name of a Basic credential, and
all your sessions end. Run "bearing login" again then. Your password and your API key stay.`,
  examples: ['ada@example.com'],
  run: async (cli, { email }) => {
    const { client } = await cli.session()
    await client.call('requestEmailChange', { email })
    cli.output.done(
      'Links are mailed to the new address and to the present one. The address changes when both are used, within 24 hours.',
    )
  },
})

verb('email confirm', {
  about: 'confirm another email address with the link from the email',
  help: 'It asks for what is behind the "#" of the link.',
  examples: [''],
  run: async (cli) => {
    const secret = await cli.askSecret("the link's secret")
    const { changed } = await (await cli.anonymous()).call('confirmEmailChange', { secret })
    cli.output.done(changed ? 'Email address changed.' : 'Confirmed. The other address has to confirm too.')
  },
})
