import type { CallInput, CallOutput } from '@bearing/client/call-types'
import { WORKLOAD_PLATFORM_NAMES } from '@bearing/contracts/identity/workloads/workload-platforms'
import { InvalidArgumentError } from 'commander'
import { readFileSync } from 'node:fs'
import { type ValuesOf, idOf, oneOf, required } from '../ground/arguments.js'
import { readSpan } from '../ground/times.js'
import type { Cli } from '../session/cli.js'
import type { Session } from '../session/session.js'
import { ID, callVerb, listVerb } from '../session/verb.js'
import { boundProjects } from './bound-projects.js'
import { ADDRESSES, PERMISSIONS } from './create-organization-token.js'
import { type Cells } from '../ground/output/cells.js'

type Trust = CallOutput<'createWorkloadTrust'>

const EXAMPLE =
  '--name CI --platform github --audience https://bearing.example.com --claim repository_id=123456 --claim ref=refs/heads/main --permission symbols:upload'
const FROM_LIST = 'bearing trusts list'

const TRUST_ID = { '<id>': idOf(`id of the trust, from "${FROM_LIST}"`, FROM_LIST) } as const

const FIELDS: Cells<Trust> = {
  ...{ Id: 'id', Name: 'name', Issuer: 'issuer', Audience: 'audience' },
  Claims: ({ claims }) => claimsText(claims),
  Permissions: 'permissions',
  Administers: ({ administers }) => (administers ? 'yes' : undefined),
  'Project ids': ({ project_ids }) => project_ids ?? 'all',
  'Life of its tokens': ({ lifetime_seconds }) => `${String(lifetime_seconds)} s`,
}

const TRUST = {
  ...PERMISSIONS,
  ...ADDRESSES,
  '--name <text>': required('name of the trust'),
  '--platform <platform>': { ...oneOf('what runs the workload', WORKLOAD_PLATFORM_NAMES), required: true },
  '--issuer <url>': 'issuer of the tokens (default: that of the platform)',
  '--jwks <file>': 'file with the public keys of an issuer that Bearing cannot reach',
  '--audience <text>': required('required audience of the tokens'),
  '--claim <name=value>': {
    about: 'required claim, repeatable; "*" stands for characters',
    parse: collectClaim,
    initial: {},
  },
  '--lifetime <span>': 'lifetime of its tokens: only 1h, the longest (default: 15 minutes)',
  '--single-use': 'accept a token of the issuer once',
} as const

listVerb('trusts list', {
  about: 'list the trusts of an organization',
  list: 'listWorkloadTrusts',
  columns: {
    ...{ Id: 'id', Name: 'name', Issuer: 'issuer' },
    Claims: ({ claims }) => claimsText(claims),
    Permissions: { right: ({ permissions }) => String(permissions.length) },
    Administers: ({ administers }) => (administers ? 'yes' : ''),
    'Last exchange': 'last_exchange_at',
  },
  empty: 'No trusts yet. Create one: bearing trusts create',
})

callVerb('trusts create', {
  about: 'trust the tokens of an issuer that have these claims',
  takes: TRUST,
  examples: [EXAMPLE],
  call: 'createWorkloadTrust',
  input: inputOf,
  done: 'Trust created.',
  show: FIELDS,
})

callVerb('trusts change', {
  about: 'replace a trust with these flags; its tokens end immediately',
  takes: { ...TRUST, ...TRUST_ID },
  examples: [`${ID} ${EXAMPLE}`],
  question: 'Replace the trust? Its tokens are rejected immediately.',
  call: 'changeWorkloadTrust',
  input: async ({ id, ...flags }, session, cli) => ({
    ...(await inputOf(flags, session, cli)),
    trust_id: id,
  }),
  done: 'Trust replaced.',
  show: FIELDS,
})

callVerb('trusts delete', {
  about: 'delete a trust; its tokens end immediately',
  takes: TRUST_ID,
  examples: [ID],
  question: 'Delete the trust? Its tokens are rejected immediately.',
  call: 'deleteWorkloadTrust',
  input: ({ id: trust_id }) => ({ trust_id }),
  done: 'Trust deleted.',
})

async function inputOf(flags: ValuesOf<typeof TRUST>, session: Session, cli: Cli) {
  const { name, platform, issuer, jwks, audience, claim, permission, allowFrom, lifetime, singleUse } = flags
  return {
    ...{ name, platform, issuer, audience, claims: claim, permissions: permission ?? [] },
    jwks: jwks === undefined ? undefined : keysIn(jwks),
    project_ids: await boundProjects(session, cli.projectFlags),
    allowed_addresses: allowFrom,
    lifetime_seconds: lifetime === undefined ? undefined : readSpan(lifetime, '--lifetime') / 1_000,
    single_use: singleUse,
  }
}

/** The server checks what is in it. */
function keysIn(file: string): NonNullable<CallInput<'createWorkloadTrust'>['jwks']> {
  return JSON.parse(readFileSync(file, 'utf8')) as NonNullable<CallInput<'createWorkloadTrust'>['jwks']>
}

function collectClaim(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('Give name=value, such as repository_id=123456.')
  return { ...before, [name]: value }
}

function claimsText(claims: Trust['claims']): string[] {
  return Object.entries(claims).map(([name, value]) => `${name}=${value}`)
}
