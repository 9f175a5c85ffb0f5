import type { CallOutput } from '@bearing/client/call-types'
import { USAGE_DAYS } from '@bearing/contracts/counts/usage'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { count, size } from '../ground/output/format.js'
import { wholeNumber, parsed } from '../ground/arguments.js'

type Usage = CallOutput<'showOrganizationUsage'>
type DayUsage = Usage['days'][number]

/** Characters of the longest bar. */
const BAR = 20
const KINDS: Readonly<Record<Usage['credentials'][number]['kind'], string>> = {
  organization_token: 'token',
  legacy_token: 'legacy token',
  api_key: 'user API key',
  password: 'password',
  session: 'session',
  project_key: 'project key',
  other: 'others',
}

verb('organizations usage', {
  about: 'show what an organization uses, per day in UTC',
  takes: {
    '[slug]': 'slug of the organization (default: --org)',
    '--days <number>': { ...parsed('number of days, 1 to 90', wholeNumber(1, USAGE_DAYS)), initial: 30 },
  },
  examples: ['acme --days 7'],
  run: async (cli, { slug, days }) => {
    const session = await cli.session()
    const organization = slug ?? session.organization
    const usage = await session.client.call('showOrganizationUsage', { organization, days })
    if (!cli.output.document(usage)) print(cli, usage)
  },
})

function print({ output }: Cli, usage: Usage): void {
  const { devices, projects, stored, chunk_bytes_per_day: perDay } = usage
  output.record(
    {
      Days: `${usage.from} to ${usage.to} (UTC)`,
      Projects: ofLimit(count(projects.count), projects.limit, count),
      Devices: ofLimit(count(devices.count), devices.limit, count),
      Files: ofLimit(size(stored.files.bytes), stored.files.limit, size),
      Chunks: `${size(stored.chunks.bytes)} stored`,
      'Chunks per day': perDay === null ? 'no limit' : `at most ${size(perDay)}`,
    },
    usage,
  )
  output.print('')
  const most = Math.max(1, ...usage.days.map(requestsOf))
  output.table(
    usage.days,
    {
      Day: 'day',
      Chunks: ({ chunks }) => chunks.count,
      Bytes: { right: ({ chunks }) => size(chunks.bytes) },
      Found: ({ lookups }) => lookups.found,
      Fallback: ({ lookups }) => lookups.fallback,
      'Not found': ({ lookups }) => lookups.not_found,
      Refused: ({ lookups }) => lookups.refused,
      Requests: (day) => requestsOf(day),
      '': (day) => '█'.repeat(Math.ceil((requestsOf(day) / most) * BAR)),
    },
    null,
  )
  if (usage.credentials.length === 0) return
  output.print('')
  output.table(
    usage.credentials,
    {
      Credential: ({ kind }) => KINDS[kind],
      Name: ({ name, id }) => name ?? id ?? '',
      Requests: 'requests',
      'Last use': 'last_used_at',
    },
    null,
  )
}

function requestsOf({ requests }: DayUsage): number {
  return Object.values(requests).reduce((sum, one) => sum + one, 0)
}

function ofLimit(used: string, limit: number | null, format: (number: number) => string): string {
  return limit === null ? `${used} (no limit)` : `${used} of ${format(limit)}`
}
