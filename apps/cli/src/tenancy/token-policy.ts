import type { CallOutput } from '@bearing/client/call-types'
import { DAY_MS } from '@bearing/contracts/durations'
import { callVerb } from '../session/verb.js'
import { readSpan } from '../ground/times.js'
import { UsageError } from '../ground/usage-error.js'
import { oneOf, requireChange } from '../ground/arguments.js'
import { type Cells } from '../ground/output/cells.js'

const FIELDS: Cells<CallOutput<'showOrganizationTokenPolicy'>> = {
  'Longest life': ({ max_lifetime_days: days }) => (days === null ? 'any' : `${String(days)} d`),
  Administration: ({ administration, administration_max_lifetime_days: days }) =>
    administration === 'forbid' ? 'forbidden' : `allowed, for at most ${String(days)} d`,
  'When leaked': ({ when_leaked }) => (when_leaked === 'flag' ? 'marked in the list' : 'revoked immediately'),
}

callVerb('org-tokens policy show', {
  about: 'show the token policy of the organization',
  call: 'showOrganizationTokenPolicy',
  show: FIELDS,
})

callVerb('org-tokens policy set', {
  about: 'change the token policy of the organization',
  takes: {
    '--max-lifetime <span>': 'maximum lifetime of new tokens, such as 90d or 52w; "none" for unlimited',
    '--when-leaked <what>': oneOf('action for a token that is reported as leaked', ['revoke', 'flag']),
    '--administration <rule>': oneOf(
      'whether tokens may administer; "forbid" takes it from existing tokens immediately',
      ['allow', 'forbid'],
    ),
    '--administration-max-lifetime <span>': 'maximum lifetime of new tokens that administer, 1d to 365d',
  },
  examples: ['--max-lifetime 52w --when-leaked revoke'],
  call: 'changeOrganizationTokenPolicy',
  input: async (flags, { client, organization }) => {
    const { maxLifetime, whenLeaked, administration, administrationMaxLifetime } = requireChange(
      flags,
      'Nothing to change. Give --max-lifetime, --when-leaked, --administration or --administration-max-lifetime.',
    )
    return {
      max_lifetime_days:
        maxLifetime === undefined
          ? (await client.call('showOrganizationTokenPolicy', { organization })).max_lifetime_days
          : lifetimeOf(maxLifetime),
      when_leaked: whenLeaked,
      administration,
      administration_max_lifetime_days:
        administrationMaxLifetime === undefined
          ? undefined
          : daysOf(administrationMaxLifetime, '--administration-max-lifetime'),
    }
  },
  done: 'Token policy changed. Existing tokens do not change.',
  show: FIELDS,
})

function lifetimeOf(text: string): number | null {
  return text === 'none' ? null : daysOf(text, '--max-lifetime')
}

function daysOf(text: string, flag: string): number {
  const days = readSpan(text, flag) / DAY_MS
  if (!Number.isInteger(days)) throw new UsageError(`${flag} must be whole days, such as 90d.`)
  return days
}
