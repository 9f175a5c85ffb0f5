import { verb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { YES, addLimit, type LimitFlag } from '../ground/arguments.js'
import { printDeletion, printDeletions, waitForErasure } from './show-deletion.js'

interface Flags {
  readonly yes?: boolean
  readonly wait?: boolean
}

const SLUG = ['<slug>', 'slug of the project'] as const

verb('projects delete', { examples: ['thermostats'] }, (command, cli) =>
  command
    .description('delete a project with its devices; it can be restored for some days')
    .argument(...SLUG)
    .option(...YES)
    .action(async (project_slug: string, { yes }: Flags) => {
      const { client, organization } = await cli.session()
      const warning = `The project key of ${project_slug} stops immediately. Its devices cannot send data.`
      await confirmTyped(cli, project_slug, warning, { yes })
      const deletion = await client.call('deleteProject', { organization, project_slug })
      cli.output.done('Project deleted.')
      printDeletion(cli, deletion)
      cli.output.say(`To undo this: bearing projects restore ${project_slug} --org ${organization}`)
    }),
)

verb('projects restore', { examples: ['thermostats'] }, (command, cli) =>
  command
    .description('restore a deleted project, with the same key')
    .argument(...SLUG)
    .action(async (project_slug: string) => {
      const { client, organization } = await cli.session()
      const restored = await client.call('restoreProject', { organization, project_slug })
      cli.output.done('Project restored. Its key works again.')
      cli.output.record({ Slug: restored.slug, Id: restored.project_id }, restored)
    }),
)

verb('projects erase', { examples: ['thermostats --wait'] }, (command, cli) =>
  command
    .description('erase a deleted project now; this cannot be undone')
    .argument(...SLUG)
    .option(...YES)
    .option('--wait', 'wait until everything is erased')
    .action(async (project_slug: string, { yes, wait }: Flags) => {
      const { client, organization } = await cli.session()
      const warning = `Everything of ${project_slug} is erased in all services. This cannot be undone.`
      await confirmTyped(cli, project_slug, warning, { yes })
      const scope = { organization, project_slug, slug: project_slug }
      const deletion = await client.call('eraseProject', scope)
      cli.output.done('Erasure started.')
      printDeletion(cli, deletion)
      if (wait) await waitForErasure(cli, () => showDeletion(cli, project_slug))
    }),
)

verb('projects deletions list', {}, (command, cli) =>
  addLimit(command)
    .description('list the deleted projects of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      printDeletions(cli, await client.listAll('listDeletedProjects', { organization }, { limit }))
    }),
)

verb('projects deletions show', { examples: ['thermostats'] }, (command, cli) =>
  command
    .description('show the deletion of a project and the progress of its erasure')
    .argument(...SLUG)
    .option('--wait', 'wait until everything is erased')
    .action(async (project_slug: string, { wait }: Flags) => {
      printDeletion(cli, await showDeletion(cli, project_slug))
      if (wait) await waitForErasure(cli, () => showDeletion(cli, project_slug))
    }),
)

async function showDeletion(cli: Cli, project_slug: string) {
  const { client, organization } = await cli.session()
  return client.call('showProjectDeletion', { organization, project_slug })
}
