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

const SLUG = ['<slug>', 'slug of the project'] as const

/** `bearing projects delete`, `restore`, `erase` and `deletions` */
export function addProjectDeletion(projects: Command, cli: Cli): void {
  projects
    .command('delete')
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
    })
  projects
    .command('restore')
    .description('restore a deleted project, with the same key')
    .argument(...SLUG)
    .action(async (project_slug: string) => {
      const { client, organization } = await cli.session()
      const restored = await client.call('restoreProject', { organization, project_slug })
      cli.output.done('Project restored. Its key works again.')
      cli.output.record({ Slug: restored.slug, Id: restored.project_id }, restored)
    })
  projects
    .command('erase')
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
    })
  const deletions = projects.command('deletions').description('deleted projects')
  addLimit(deletions.command('list'))
    .description('list the deleted projects of an organization')
    .action(async ({ limit }: LimitFlag) => {
      const { client, organization } = await cli.session()
      printDeletions(cli, await client.listAll('listDeletedProjects', { organization }, { limit }))
    })
  deletions
    .command('show')
    .description('show the deletion of a project and the progress of its erasure')
    .argument(...SLUG)
    .option('--wait', 'wait until everything is erased')
    .action(async (project_slug: string, { wait }: Flags) => {
      printDeletion(cli, await showDeletion(cli, project_slug))
      if (wait) await waitForErasure(cli, () => showDeletion(cli, project_slug))
    })
}

async function showDeletion(cli: Cli, project_slug: string) {
  const { client, organization } = await cli.session()
  return client.call('showProjectDeletion', { organization, project_slug })
}
