import { useQuery } from '@tanstack/react-query'
import { calling } from '../ground/calling.js'
import { useScope } from '../ground/scope.js'
import { Loaded } from '../parts/loaded.js'
import { Page } from '../parts/page.js'
import { DataPolicyForm } from './data-policy-form.js'

/** `…/settings/data`: what devices may send, and how long it is kept. */
export function DataPage() {
  const { organizationSlug: organization, projectSlug: project } = useScope()
  const policy = useQuery({
    ...calling(['data-policy', organization, project], 'showDataPolicy', { organization, project }),
    refetchOnWindowFocus: false,
  })
  return (
    <Page title="Data" about="What devices of the project may send, and how long it is kept.">
      <Loaded query={policy}>
        {(shown) => <DataPolicyForm key={JSON.stringify(shown)} policy={shown} />}
      </Loaded>
    </Page>
  )
}
