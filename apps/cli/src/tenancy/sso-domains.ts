import type { CallOutput } from '@bearing/client/call-types'
import { callVerb, listVerb } from '../session/verb.js'
import { moment } from '../ground/output/format.js'

const DOMAIN = { '<domain>': 'for example example.com' } as const
const verified = ({ verified_at }: CallOutput<'addSsoDomain'>) => moment(verified_at, 'no')
const FIELDS = { Domain: 'domain', 'TXT record': 'txt_record', Verified: verified } as const

listVerb('sso domains list', {
  about: 'list the email domains of an organization',
  list: 'listSsoDomains',
  columns: { Domain: 'domain', Verified: verified, 'TXT record': 'txt_record' },
  empty: 'No email domains yet. Add one: bearing sso domains add <domain>',
})

callVerb('sso domains add', {
  about: 'add an email domain, and print its TXT record',
  takes: DOMAIN,
  examples: ['example.com'],
  call: 'addSsoDomain',
  input: ({ domain }) => ({ domain }),
  show: FIELDS,
})

callVerb('sso domains verify', {
  about: 'verify the TXT record of an email domain',
  takes: DOMAIN,
  examples: ['example.com'],
  call: 'verifySsoDomain',
  input: ({ domain }) => ({ domain }),
  done: 'Domain verified.',
  show: FIELDS,
})

callVerb('sso domains delete', {
  about: 'delete an email domain',
  takes: DOMAIN,
  examples: ['example.com'],
  question: 'Delete the domain? Users with its email addresses can no longer join by sign-in.',
  call: 'deleteSsoDomain',
  input: ({ domain }) => ({ domain }),
  done: 'Domain deleted.',
})
