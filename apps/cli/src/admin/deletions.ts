import {
  eraseOrganization,
  listDeletedOrganizations,
  restoreOrganization,
} from '@bearing/contracts/management/tenancy/deletion'
import type { Command } from 'commander'
import { ID, verb } from '../session/verb.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { printDeletion } from '../tenancy/show-deletion.js'
import { VARIABLES } from '../ground/environment.js'
import { FLAGS } from '../ground/flags.js'
import { YES, idFrom, addLimit, type LimitFlag } from '../ground/arguments.js'
import { moment } from '../ground/output/format.js'
import { withOperator } from '../session/with-operator.js'

interface Flags {
  readonly natsUrl?: string
  readonly yes?: boolean
}

verb('admin deletions list', {}, (command, cli) =>
  addLimit(atNats(command))
    .description('list all deletions, with the progress of their erasure')
    .action(async ({ natsUrl, limit = 10_000 }: Flags & LimitFlag) => {
      const { data } = await withOperator(cli, natsUrl, (operator) =>
        operator.call(listDeletedOrganizations, { per_page: Math.min(limit, 10_000) }),
      )
      cli.output.table(
        data,
        {
          Organization: 'organization_id',
          Project: ({ project_id }) => project_id ?? '',
          Slug: ({ slug }) => slug ?? '',
          State: 'state',
          'Erased after': ({ erase_after }) => moment(erase_after),
          Error: ({ parts }) => parts.find(({ error }) => error !== null)?.error ?? '',
        },
        'No deletions.',
      )
    }),
)

verb('admin deletions restore', { examples: [ID] }, (command, cli) =>
  atNats(command)
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
    }),
)

verb('admin deletions erase', { examples: [`${ID} acme`] }, (command, cli) =>
  atNats(command)
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
    }),
)

function atNats(command: Command): Command {
  return command.option(`${FLAGS.natsUrl} <url>`, `URL of NATS [${VARIABLES.natsUrl}]`)
}
