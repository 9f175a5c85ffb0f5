import type { CallInput, CallOutput } from '@bearing/client/call-types'
import {
  WORKLOAD_PLATFORM_NAMES,
  type WorkloadPlatform,
} from '@bearing/contracts/identity/workloads/workload-platforms'
import type { Permission } from '@bearing/contracts/permission'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readFileSync } from 'node:fs'
import { addLimit, idFrom, type LimitFlag } from '../ground/arguments.js'
import { readSpan } from '../ground/times.js'
import type { Cli } from '../session/cli.js'
import { ID, verb } from '../session/verb.js'
import { boundProjects } from './bound-projects.js'
import { addAddressOption, addPermissionOption } from './create-organization-token.js'

type Trust = CallOutput<'createWorkloadTrust'>

interface Flags {
  readonly name: string
  readonly platform: WorkloadPlatform
  readonly issuer?: string
  readonly jwks?: string
  readonly audience: string
  readonly claim: Readonly<Record<string, string>>
  readonly permission: Permission[]
  readonly allowFrom?: string[]
  readonly singleUse?: boolean
}

const EXAMPLE =
  '--name CI --platform github --audience https://bearing.example.com --claim repository_id=123456 --claim ref=refs/heads/main --permission symbols:upload'
const FROM_LIST = 'bearing trusts list'

verb('trusts list', {}, (command, cli) =>
  addLimit(command)
    .description('list the trusts of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      cli.output.table(
        await client.listAll('listWorkloadTrusts', { organization }, { limit }),
        {
          Id: 'id',
          Name: 'name',
          Issuer: 'issuer',
          Claims: ({ claims }) => claimsText(claims).join(', '),
          Permissions: { right: ({ permissions }) => String(permissions.length) },
          Administers: ({ administers }) => (administers ? 'yes' : ''),
          'Last exchange': 'last_exchange_at',
        },
        'No trusts yet. Create one: bearing trusts create',
      )
    }),
)

verb('trusts create', { examples: [EXAMPLE] }, (command, cli) =>
  addTrustOptions(command)
    .description('trust the tokens of an issuer that have these claims')
    .action(async (flags: Flags) => {
      const session = await cli.session()
      const trust = await session.client.call('createWorkloadTrust', await inputOf(session, flags, cli))
      cli.output.done('Trust created.')
      printTrust(cli, trust)
    }),
)

verb(
  'trusts change',
  {
    examples: [`${ID} ${EXAMPLE}`],
    question: 'Replace the trust? Its tokens are rejected immediately.',
  },
  (command, cli) =>
    addTrustOptions(command)
      .description('replace a trust with these flags; its tokens end immediately')
      .argument('<id>', `id of the trust, from "${FROM_LIST}"`, idFrom(FROM_LIST))
      .action(async (trust_id: string, flags: Flags) => {
        const session = await cli.session()
        const input = { ...(await inputOf(session, flags, cli)), trust_id }
        const trust = await session.client.call('changeWorkloadTrust', input)
        cli.output.done('Trust replaced.')
        printTrust(cli, trust)
      }),
)

verb(
  'trusts delete',
  { examples: [ID], question: 'Delete the trust? Its tokens are rejected immediately.' },
  (command, cli) =>
    command
      .description('delete a trust; its tokens end immediately')
      .argument('<id>', `id of the trust, from "${FROM_LIST}"`, idFrom(FROM_LIST))
      .action(async (trust_id: string) => {
        const { client, organization } = await cli.session()
        await client.call('deleteWorkloadTrust', { organization, trust_id })
        cli.output.done('Trust deleted.')
      }),
)

function addTrustOptions(command: Command): Command {
  return addAddressOption(addPermissionOption(command))
    .requiredOption('--name <text>', 'name of the trust')
    .addOption(
      new Option('--platform <platform>', 'what runs the workload')
        .choices(WORKLOAD_PLATFORM_NAMES)
        .makeOptionMandatory(),
    )
    .option('--issuer <url>', 'issuer of the tokens (default: that of the platform)')
    .option('--jwks <file>', 'file with the public keys of an issuer that Bearing cannot reach')
    .requiredOption('--audience <text>', 'required audience of the tokens')
    .option('--claim <name=value>', 'required claim, repeatable; "*" stands for characters', collectClaim, {})
    .option('--lifetime <span>', 'lifetime of its tokens: only 1h, the longest (default: 15 minutes)')
    .option('--single-use', 'accept a token of the issuer once')
}

async function inputOf(
  session: Awaited<ReturnType<Cli['session']>>,
  flags: Flags & { readonly lifetime?: string },
  cli: Cli,
): Promise<CallInput<'createWorkloadTrust'>> {
  const { name, platform, issuer, jwks, audience, claim, permission, allowFrom, lifetime, singleUse } = flags
  return {
    organization: session.organization,
    ...{ name, platform, audience, claims: claim, permissions: permission },
    ...(issuer !== undefined && { issuer }),
    ...(jwks !== undefined && { jwks: keysIn(jwks) }),
    project_ids: await boundProjects(session, cli.projectFlags),
    ...(allowFrom && { allowed_addresses: allowFrom }),
    ...(lifetime !== undefined && { lifetime_seconds: readSpan(lifetime, '--lifetime') / 1_000 }),
    ...(singleUse && { single_use: true }),
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

function printTrust({ output }: Cli, trust: Trust): void {
  output.record(
    {
      Id: trust.id,
      Name: trust.name,
      Issuer: trust.issuer,
      Audience: trust.audience,
      Claims: claimsText(trust.claims),
      Permissions: trust.permissions,
      Administers: trust.administers ? 'yes' : undefined,
      'Project ids': trust.project_ids ?? 'all',
      'Life of its tokens': `${String(trust.lifetime_seconds)} s`,
    },
    trust,
  )
}
