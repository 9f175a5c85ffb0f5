import { verb, callVerb } from '../session/verb.js'
import type { Cli } from '../session/cli.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { YES, LIMIT } from '../ground/arguments.js'
import { printDeletion, printDeletions, waitForErasure } from './show-deletion.js'

const SLUG = { '<slug>': 'slug of the organization' } as const

verb('organizations delete', {
  about: 'delete an organization with all projects; it can be restored for some days',
  takes: { ...SLUG, ...YES },
  examples: ['acme'],
  run: async (cli, { slug: organization, yes }) => {
    const { client } = await cli.session()
    const warning = `All credentials of ${organization} and its projects stop immediately. Devices cannot send data.`
    await confirmTyped(cli, organization, warning, { yes })
    const deletion = await client.call('deleteOrganization', { organization })
    cli.output.done('Organization deleted.')
    printDeletion(cli, deletion)
    cli.output.say(`To undo this: bearing organizations restore ${organization}`)
  },
})

callVerb('organizations restore', {
  about: 'restore a deleted organization, with the same credentials',
  takes: SLUG,
  examples: ['acme'],
  call: 'restoreOrganization',
  input: ({ slug }) => ({ organization: slug }),
  done: 'Organization restored. Its credentials work again.',
  show: { Slug: 'slug', Id: 'organization_id' },
})

verb('organizations erase', {
  about: 'erase a deleted organization now; this cannot be undone',
  takes: { ...SLUG, ...YES, '--wait': 'wait until everything is erased' },
  examples: ['acme --wait'],
  run: async (cli, { slug: organization, yes, wait }) => {
    const { client } = await cli.session()
    const warning = `Everything of ${organization} is erased in all services. This cannot be undone.`
    await confirmTyped(cli, organization, warning, { yes })
    const deletion = await client.call('eraseOrganization', { organization, slug: organization })
    cli.output.done('Erasure started.')
    printDeletion(cli, deletion)
    if (wait) await waitForErasure(cli, () => showDeletion(cli, organization))
  },
})

verb('organizations deletions list', {
  about: 'list deleted organizations that you are an admin of',
  takes: LIMIT,
  run: async (cli, { limit }) => {
    const { client } = await cli.session()
    printDeletions(cli, await client.listAll('listDeletedOrganizations', {}, { limit }))
  },
})

verb('organizations deletions show', {
  about: 'show the deletion of an organization and the progress of its erasure',
  takes: { ...SLUG, '--wait': 'wait until everything is erased' },
  examples: ['acme'],
  run: async (cli, { slug: organization, wait }) => {
    printDeletion(cli, await showDeletion(cli, organization))
    if (wait) await waitForErasure(cli, () => showDeletion(cli, organization))
  },
})

async function showDeletion(cli: Cli, organization: string) {
  return (await cli.session()).client.call('showOrganizationDeletion', { organization })
}
