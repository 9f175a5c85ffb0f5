import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../session/verb.js'

const MESSAGES: Readonly<Record<CallOutput<'reportLeak'>['outcome'], string>> = {
  revoked: 'It was valid, and is revoked now.',
  flagged: 'It is valid. By the policy of its organization it was marked, not revoked.',
  inactive: 'It was already expired or deleted.',
  unknown: 'It is not a secret of this Bearing, or it is mistyped.',
}

verb('leaks report', {
  about: 'report a leaked secret; it is read from standard input',
  takes: { '--found-at <text>': 'where it was found, such as a URL; without the secret' },
  examples: ['--found-at https://example.com/paste < secret.txt'],
  run: async (cli, { foundAt }) => {
    const secret = await cli.askSecret('the secret')
    const report = await (await cli.anonymous()).call('reportLeak', { secret, found_at: foundAt })
    cli.output.done(MESSAGES[report.outcome])
    cli.output.record({ Outcome: report.outcome }, report)
  },
})
