import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { me, installation } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { useUrlState } from '../ground/url-state.js'
import { Button } from '../parts/button.js'
import { Command } from '../parts/command.js'
import { CopyButton } from '../parts/copy-button.js'
import { Icon } from '../parts/icon.js'
import { Loaded } from '../parts/loaded.js'
import { Page, Card } from '../parts/page.js'
import { Select } from '../parts/select.js'
import { connectionsOf, type Connection } from './connection.js'
import { DomainStep } from './domain-step.js'
import { PartnerLinksCard } from './partner-links-card.js'
import { ProviderStep } from './provider-step.js'
import { RoleMappingCard } from './role-mapping-card.js'
import { Step } from './step.js'
import { TryStep } from './try-step.js'

/** Stands in the URL for a connection that is not made yet. */
const NEW = 'new'

/** `…/admin/single-sign-on`: four steps, each with its state. */
export function SingleSignOnPage() {
  const { organizationSlug: organization, refused } = useScope()
  const [{ connection: wanted }, change] = useUrlState(['connection'])
  const why = refused('sso-connection:read')
  const connections = useQuery({
    ...connectionsOf(organization),
    enabled: !why,
  })
  const list = connections.data ?? []
  const connection = wanted === NEW ? undefined : (list.find(({ id }) => id === wanted) ?? list[0])
  if (why)
    return (
      <Page title="Single sign-on">
        <p className="quiet">
          {why.code === 'permission_denied' ? 'Only for admins of the organization.' : why.message}
        </p>
      </Page>
    )
  return (
    <Page
      title="Single sign-on"
      about="People sign in through your own provider: Okta, Microsoft Entra ID, Google Workspace, Keycloak, or another one with OpenID Connect."
      action={
        list.length > 0 &&
        wanted !== NEW && (
          <Button onPress={() => change({ connection: NEW })}>
            <Icon name="plus" /> Another provider
          </Button>
        )
      }
    >
      {list.length > 1 && (
        <div className="row filters">
          <Select
            label="Provider"
            value={connection?.id ?? ''}
            onChange={(id) => change({ connection: id })}
            options={list.map(({ id, name, issuer }) => ({ id, text: name, hint: issuer }))}
          />
        </div>
      )}
      <Loaded query={connections}>
        {() => (
          <Steps
            connection={connection}
            onSaved={(saved) => {
              void queryClient.invalidateQueries({ queryKey: connectionsOf(organization).queryKey })
              change({ connection: saved.id })
            }}
          />
        )}
      </Loaded>
      <PartnerLinksCard />
    </Page>
  )
}

function Steps({
  connection,
  onSaved,
}: {
  readonly connection: Connection | undefined
  readonly onSaved: (connection: Connection) => void
}) {
  const { data: user } = useQuery(me)
  const isProven = connection !== undefined && user?.sso?.connection_id === connection.id
  return (
    <>
      <ol className="steps">
        <ProviderStep connection={connection} onSaved={onSaved} />
        <RedirectStep connection={connection} isProven={isProven} />
        <DomainStep connection={connection} />
        <TryStep connection={connection} isProven={isProven} />
      </ol>
      {connection && <RoleMappingCard connection={connection} />}
      {connection && <ScimCard connection={connection} />}
    </>
  )
}

/** The second step: the redirect URI, for the provider. */
function RedirectStep({
  connection,
  isProven,
}: {
  readonly connection: Connection | undefined
  /** A sign-in through the connection succeeded, so the provider has the right URI. */
  readonly isProven: boolean
}) {
  const config = useQuery(installation)
  const [copied, setCopied] = useState<string>()
  const uri = connection && `${config.data?.public_url ?? ''}${connection.callback_path}`
  const done = isProven ? 'redirect URI works' : copied !== undefined && copied === uri ? 'copied' : undefined
  return (
    <Step
      number={2}
      title="Register the redirect URI"
      about="At the provider, as the only redirect URI of the application. Then give the application to the people who may use it."
      done={done}
      missing="not copied"
    >
      {uri === undefined ? (
        <p className="quiet">It is shown once the provider is connected.</p>
      ) : (
        <div className="command">
          <pre>{uri}</pre>
          <div>
            <CopyButton
              text={uri}
              of="the redirect URI"
              label="Copy"
              look="small"
              onCopied={() => setCopied(uri)}
            />
          </div>
        </div>
      )}
      {connection?.jwks_path && (
        <>
          <p>Register this JWKS URI too. The provider reads the public key there:</p>
          <Command text={`${config.data?.public_url ?? ''}${connection.jwks_path}`} />
        </>
      )}
    </Step>
  )
}

/** Shows how the provider pushes users and groups. */
function ScimCard({ connection: { id } }: { readonly connection: Connection }) {
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
