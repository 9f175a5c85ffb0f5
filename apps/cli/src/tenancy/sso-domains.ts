import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'

verb('sso domains list', {}, (command, cli) =>
  addLimit(command)
    .description('list the email domains of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listSsoDomains', { organization }, { limit })
      cli.output.table(
        found,
        {
          Domain: 'domain',
          Verified: ({ verified_at }) => moment(verified_at, 'no'),
          'TXT record': 'txt_record',
        },
        'No email domains yet. Add one: bearing sso domains add <domain>',
      )
    }),
)

verb('sso domains add', { examples: ['example.com'] }, (command, cli) =>
  withDomain(command, 'add an email domain, and print its TXT record').action(async (domain: string) => {
    const { client, organization } = await cli.session()
    printDomain(cli, await client.call('addSsoDomain', { organization, domain }))
  }),
)

verb('sso domains verify', { examples: ['example.com'] }, (command, cli) =>
  withDomain(command, 'verify the TXT record of an email domain').action(async (domain: string) => {
    const { client, organization } = await cli.session()
    const verified = await client.call('verifySsoDomain', { organization, domain })
    cli.output.done('Domain verified.')
    printDomain(cli, verified)
  }),
)

verb(
  'sso domains delete',
  {
    examples: ['example.com'],
    question: 'Delete the domain? Users with its email addresses can no longer join by sign-in.',
  },
  (command, cli) =>
    withDomain(command, 'delete an email domain').action(async (domain: string) => {
      const { client, organization } = await cli.session()
      await client.call('deleteSsoDomain', { organization, domain })
      cli.output.done('Domain deleted.')
    }),
)

function withDomain(command: Command, description: string): Command {
  return command.description(description).argument('<domain>', 'for example example.com')
}

function printDomain({ output }: Cli, domain: CallOutput<'addSsoDomain'>): void {
  output.record(
    { Domain: domain.domain, 'TXT record': domain.txt_record, Verified: moment(domain.verified_at, 'no') },
    domain,
  )
}
