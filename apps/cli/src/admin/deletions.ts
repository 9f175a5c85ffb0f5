import {
  eraseOrganization,
  listDeletedOrganizations,
  restoreOrganization,
} from '@bearing/contracts/management/tenancy/deletion'
import { idOf, LIMIT, YES } from '../ground/arguments.js'
import { confirmTyped } from '../session/confirm-typed.js'
import { ID, operatorVerb } from '../session/verb.js'
import { printDeletion } from '../tenancy/show-deletion.js'
import { moment } from '../ground/output/format.js'

const ORGANIZATION = {
  '<organization id>': idOf('id of the organization', 'bearing admin deletions list', 'organization id'),
} as const

operatorVerb('admin deletions list', {
  about: 'list all deletions, with the progress of their erasure',
  takes: LIMIT,
  operation: listDeletedOrganizations,
  input: ({ limit = 10_000 }) => ({ per_page: Math.min(limit, 10_000) }),
  after: ({ output }, { data }) => {
    output.table(
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
  },
})

operatorVerb('admin deletions restore', {
  about: 'restore a deleted organization',
  takes: ORGANIZATION,
  examples: [ID],
  operation: restoreOrganization,
  input: ({ organizationId }) => ({ organization_id: organizationId }),
  done: 'Organization restored. Its credentials work again.',
  after: ({ output }, restored, { organizationId }) => {
    output.record({ Slug: restored.slug, Id: organizationId }, restored)
  },
})

operatorVerb('admin deletions erase', {
  about: 'erase a deleted organization now; this cannot be undone',
  takes: { ...ORGANIZATION, '<slug>': 'its slug', ...YES },
  examples: [`${ID} acme`],
  operation: eraseOrganization,
  input: async ({ organizationId, slug, yes }, cli) => {
    const warning = `Everything of ${slug} is erased in all services. This cannot be undone.`
    await confirmTyped(cli, slug, warning, { yes })
    return { organization_id: organizationId, slug }
  },
  done: 'Erasure started.',
  after: printDeletion,
})
