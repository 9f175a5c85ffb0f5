import { useQuery } from '@tanstack/react-query'
import { installation } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { Card } from '../parts/page.js'
import type { Connection } from './connection.js'

/** Shows how the provider pushes users and groups. */
export function ScimCard({ connection: { id } }: { readonly connection: Connection }) {
  const { organizationSlug: organization } = useScope()
  const url = useQuery(installation).data?.public_url ?? ''
  return (
    <Card
      title="Provisioning by SCIM"
      about="The provider pushes users and groups, so that leavers lose access without a sign-in. Enter this base URL and a token there."
    >
      <Command text={`${url}/scim/v2/organizations/${organization}/${id}`} />
      <Command
        text={`bearing --org ${organization} org-tokens create --description SCIM --permission scim:provision --scim-connection ${id}`}
      />
      <p>
        <a href="/docs/scim">What a push changes, and how to see it before</a>
      </p>
    </Card>
  )
}
