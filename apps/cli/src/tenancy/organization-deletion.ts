import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { YES, addLimit, type LimitFlag } from '../ground/arguments.js'
import { printDeletion, printDeletions, waitForErasure } from './show-deletion.js'

interface Flags {
  readonly yes?: boolean
  readonly wait?: boolean
}

const SLUG = ['<slug>', 'slug of the organization'] as const

verb('organizations delete', { examples: ['acme'] }, (command, cli) =>
  command
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
    }),
)

verb('organizations restore', { examples: ['acme'] }, (command, cli) =>
  command
    .description('restore a deleted organization, with the same credentials')
    .argument(...SLUG)
    .action(async (organization: string) => {
      const { client } = await cli.session()
      const restored = await client.call('restoreOrganization', { organization })
      cli.output.done('Organization restored. Its credentials work again.')
      cli.output.record({ Slug: restored.slug, Id: restored.organization_id }, restored)
    }),
)

verb('organizations erase', { examples: ['acme --wait'] }, (command, cli) =>
  command
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
      if (wait) await waitForErasure(cli, () => showDeletion(cli, organization))
    }),
)

verb('organizations deletions list', {}, (command, cli) =>
  addLimit(command)
    .description('list deleted organizations that you are an admin of')
    .action(async ({ limit }: LimitFlag) => {
      const { client } = await cli.session()
      printDeletions(cli, await client.listAll('listDeletedOrganizations', {}, { limit }))
    }),
)

verb('organizations deletions show', { examples: ['acme'] }, (command, cli) =>
  command
    .description('show the deletion of an organization and the progress of its erasure')
    .argument(...SLUG)
    .option('--wait', 'wait until everything is erased')
    .action(async (organization: string, { wait }: Flags) => {
      printDeletion(cli, await showDeletion(cli, organization))
      if (wait) await waitForErasure(cli, () => showDeletion(cli, organization))
    }),
)

async function showDeletion(cli: Cli, organization: string) {
  return (await cli.session()).client.call('showOrganizationDeletion', { organization })
}
