import type { CallOutput } from '@bearing/client/call-types'
import { verb } from '../../session/verb.js'
import { wholeNumber, parsed } from '../../ground/arguments.js'
import { count } from '../../ground/output/format.js'

/** Imports of one request, and of a list without a limit. */
const PER_PAGE = 100

type Import = CallOutput<'listImports'>['data'][number]

verb('access-points imports list', {
  about: 'list imports of access points and radio cells, the newest first',
  takes: {
    '-L, --limit <number>': parsed(
      `print at most this many (default: ${String(PER_PAGE)})`,
      wholeNumber(1, 1_000_000),
    ),
  },
  run: async (cli, { limit: most = PER_PAGE }) => {
    const { client, organization } = await cli.session()
    const imports: Import[] = []
    let cursor: string | null = null
    do {
      const page: CallOutput<'listImports'> = await client.call('listImports', {
        organization,
        per_page: Math.min(PER_PAGE, most - imports.length),
        ...(cursor !== null && { cursor }),
      })
      imports.push(...page.data)
      cursor = page.next
    } while (cursor !== null && imports.length < most)
    cli.output.table(
      imports,
      {
        Started: 'created_at',
        Content: 'content',
        State: ({ state, failure }) => (failure === null ? state : `${state}: ${failure}`),
        Rows: 'rows',
        New: { right: ({ added }) => (added === null ? '–' : count(added)) },
        Refined: { right: ({ updated }) => (updated === null ? '–' : count(updated)) },
      },
      'No imports yet. Import access points: bearing access-points import <file>',
    )
  },
})
