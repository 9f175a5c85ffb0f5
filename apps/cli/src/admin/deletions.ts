import {
  eraseOrganization,
  listDeletedOrganizations,
  restoreOrganization,
} from '@bearing/contracts/management/tenancy/deletion'
import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { confirmTyped } from '../confirm-typed.js'
import { YES } from '../confirmations.js'
import { printDeletion } from '../deletion/show-deletion.js'
import { VARIABLES } from '../environment.js'
import { FLAGS } from '../flags.js'
import { idFrom } from '../id-argument.js'
import { addLimit, type LimitFlag } from '../limit.js'
import { moment } from '../output/format.js'
import { withOperator } from './with-operator.js'

interface Flags {
  readonly natsUrl?: string
  readonly yes?: boolean
}

/** `bearing admin deletions list`, `restore` and `erase` */
export function addDeletions(admin: Command, cli: Cli): void {
  const deletions = admin
    .command('deletions')
    .description('deleted organizations and projects; for operators, over NATS')
  addLimit(atNats(deletions.command('list')))
    .description('list all deletions, with the progress of their erasure')
    .action(async ({ natsUrl, limit = 10_000 }: Flags & LimitFlag) => {
      const { data } = await withOperator(cli, natsUrl, (operator) =>
        operator.call(listDeletedOrganizations, { per_page: Math.min(limit, 10_000) }),
      )
      cli.output.table(
        data,
        [
          ['Organization', ({ organization_id }) => organization_id],
          ['Project', ({ project_id }) => project_id ?? ''],
          ['Slug', ({ slug }) => slug ?? ''],
          ['State', ({ state }) => state],
          ['Erased after', ({ erase_after }) => moment(erase_after)],
          ['Error', ({ parts }) => parts.find(({ error }) => error !== null)?.error ?? ''],
        ],
        'No deletions.',
      )
    })
  atNats(deletions.command('restore'))
    .description('restore a deleted organization')
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing admin deletions list', 'organization id'),
    )
    .action(async (organization_id: string, { natsUrl }: Flags) => {
      const restored = await withOperator(cli, natsUrl, (operator) =>
        operator.call(restoreOrganization, { organization_id }),
      )
      cli.output.done('Organization restored. Its credentials work again.')
      cli.output.record({ Slug: restored.slug, Id: organization_id }, restored)
    })
  atNats(deletions.command('erase'))
    .description('erase a deleted organization now; this cannot be undone')
    .argument(
      '<organization id>',
      'id of the organization',
      idFrom('bearing admin deletions list', 'organization id'),
    )
    .argument('<slug>', 'its slug')
    .option(...YES)
    .action(async (organization_id: string, slug: string, { natsUrl, yes }: Flags) => {
      const warning = `Everything of ${slug} is erased in all services. This cannot be undone.`
      await confirmTyped(cli, slug, warning, { yes })
      const deletion = await withOperator(cli, natsUrl, (operator) =>
        operator.call(eraseOrganization, { organization_id, slug }),
      )
      cli.output.done('Erasure started.')
      printDeletion(cli, deletion)
    })
}

function atNats(command: Command): Command {
  return command.option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
}
