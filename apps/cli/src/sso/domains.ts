import type { CallOutput } from '@bearing/client/call-types'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'

/** `bearing sso domains list`, `add`, `verify` and `delete` */
export function addDomains(domains: Command, cli: Cli): void {
  addLimit(domains.command('list'))
    .description('list the email domains of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      const found = await client.listAll('listSsoDomains', { organization }, { limit })
      cli.output.table(
        found,
        [
          ['Domain', ({ domain }) => domain],
          ['Verified', ({ verified_at }) => moment(verified_at, 'no')],
          ['TXT record', ({ txt_record }) => txt_record],
        ],
        'No email domains yet. Add one: bearing sso domains add <domain>',
      )
    })
  withDomain(domains, 'add', 'add an email domain, and print its TXT record').action(
    async (domain: string) => {
      const { client, organization } = await cli.session()
      printDomain(cli, await client.call('addSsoDomain', { organization, domain }))
    },
  )
  withDomain(domains, 'verify', 'verify the TXT record of an email domain').action(async (domain: string) => {
    const { client, organization } = await cli.session()
    const verified = await client.call('verifySsoDomain', { organization, domain })
    cli.output.done('Domain verified.')
    printDomain(cli, verified)
  })
  withDomain(domains, 'delete', 'delete an email domain').action(async (domain: string) => {
    const { client, organization } = await cli.session()
    await client.call('deleteSsoDomain', { organization, domain })
    cli.output.done('Domain deleted.')
  })
}

function withDomain(domains: Command, name: string, description: string): Command {
  return domains.command(name).description(description).argument('<domain>', 'for example example.com')
}

function printDomain({ output }: Cli, domain: CallOutput<'addSsoDomain'>): void {
  output.record(
    { Domain: domain.domain, 'TXT record': domain.txt_record, Verified: moment(domain.verified_at, 'no') },
    domain,
  )
}
