import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { confirmTyped } from '../confirm-typed.js'
import { YES } from '../confirmations.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { printDeletion, printDeletions, waitForErasure } from './show-deletion.js'

interface Flags {
  readonly yes?: boolean
  readonly wait?: boolean
}

const SLUG = ['<slug>', 'slug of the organization'] as const

/** `bearing organizations delete`, `restore`, `erase` and `deletions` */
export function addOrganizationDeletion(organizations: Command, cli: Cli): void {
  const show = async (organization: string) =>
    (await cli.session()).client.call('showOrganizationDeletion', { organization })
  organizations
    .command('delete')
    .description('delete an organization with all projects; it can be restored for some days')
    .argument(...SLUG)
    .option(...YES)
    .action(async (organization: string, { yes }: Flags) => {
      const { client } = await cli.session()
      const warning = `All credentials of ${organization} and its projects stop immediately. Devices cannot send data.`
      await confirmTyped(cli, organization, warning, { yes })
      const deletion = await client.call('deleteOrganization', { organization })
      cli.output.done('Organization deleted.')
      printDeletion(cli, deletion)
      cli.output.say(`To undo this: bearing organizations restore ${organization}`)
    })
  organizations
    .command('restore')
    .description('restore a deleted organization, with the same credentials')
    .argument(...SLUG)
    .action(async (organization: string) => {
      const { client } = await cli.session()
      const restored = await client.call('restoreOrganization', { organization })
      cli.output.done('Organization restored. Its credentials work again.')
      cli.output.record({ Slug: restored.slug, Id: restored.organization_id }, restored)
    })
  organizations
    .command('erase')
    .description('erase a deleted organization now; this cannot be undone')
    .argument(...SLUG)
    .option(...YES)
    .option('--wait', 'wait until everything is erased')
    .action(async (organization: string, { yes, wait }: Flags) => {
      const { client } = await cli.session()
      const warning = `Everything of ${organization} is erased in all services. This cannot be undone.`
      await confirmTyped(cli, organization, warning, { yes })
      const deletion = await client.call('eraseOrganization', { organization, slug: organization })
      cli.output.done('Erasure started.')
      printDeletion(cli, deletion)
      if (wait) await waitForErasure(cli, () => show(organization))
    })
  const deletions = organizations.command('deletions').description('deleted organizations')
  addLimit(deletions.command('list'))
    .description('list deleted organizations that you are an admin of')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      printDeletions(cli, await client.listAll('listDeletedOrganizations', {}, { limit }))
    })
  deletions
    .command('show')
    .description('show the deletion of an organization and the progress of its erasure')
    .argument(...SLUG)
    .option('--wait', 'wait until everything is erased')
    .action(async (organization: string, { wait }: Flags) => {
      printDeletion(cli, await show(organization))
      if (wait) await waitForErasure(cli, () => show(organization))
    })
}
