import { verb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { YES, LIMIT } from '../ground/arguments.js'
import { printDeletion, printDeletions, waitForErasure } from './show-deletion.js'

const SLUG = { '<slug>': 'slug of the project' } as const

verb('projects delete', {
  about: 'delete a project with its devices; it can be restored for some days',
  takes: { ...SLUG, ...YES },
  examples: ['thermostats'],
  run: async (cli, { slug: project_slug, yes }) => {
    const { client, organization } = await cli.session()
    const warning = `The project key of ${project_slug} stops immediately. Its devices cannot send data.`
    await confirmTyped(cli, project_slug, warning, { yes })
    const deletion = await client.call('deleteProject', { organization, project_slug })
    cli.output.done('Project deleted.')
    printDeletion(cli, deletion)
    cli.output.say(`To undo this: bearing projects restore ${project_slug} --org ${organization}`)
  },
})

callVerb('projects restore', {
  about: 'restore a deleted project, with the same key',
  takes: SLUG,
  examples: ['thermostats'],
  call: 'restoreProject',
  input: ({ slug: project_slug }) => ({ project_slug }),
  done: 'Project restored. Its key works again.',
  show: { Slug: 'slug', Id: 'project_id' },
})

verb('projects erase', {
  about: 'erase a deleted project now; this cannot be undone',
  takes: { ...SLUG, ...YES, '--wait': 'wait until everything is erased' },
  examples: ['thermostats --wait'],
  run: async (cli, { slug: project_slug, yes, wait }) => {
    const { client, organization } = await cli.session()
    const warning = `Everything of ${project_slug} is erased in all services. This cannot be undone.`
    await confirmTyped(cli, project_slug, warning, { yes })
    const scope = { organization, project_slug, slug: project_slug }
    const deletion = await client.call('eraseProject', scope)
    cli.output.done('Erasure started.')
    printDeletion(cli, deletion)
    if (wait) await waitForErasure(cli, () => showDeletion(cli, project_slug))
  },
})

verb('projects deletions list', {
  about: 'list the deleted projects of an organization',
  takes: LIMIT,
  run: async (cli, { limit }) => {
    const { client, organization } = await cli.session()
    printDeletions(cli, await client.listAll('listDeletedProjects', { organization }, { limit }))
  },
})

verb('projects deletions show', {
  about: 'show the deletion of a project and the progress of its erasure',
  takes: { ...SLUG, '--wait': 'wait until everything is erased' },
  examples: ['thermostats'],
  run: async (cli, { slug: project_slug, wait }) => {
    printDeletion(cli, await showDeletion(cli, project_slug))
    if (wait) await waitForErasure(cli, () => showDeletion(cli, project_slug))
  },
})

async function showDeletion(cli: Cli, project_slug: string) {
  const { client, organization } = await cli.session()
  return client.call('showProjectDeletion', { organization, project_slug })
}
