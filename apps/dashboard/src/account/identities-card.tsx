import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { Confirm } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Time } from '../parts/time.js'

export function IdentitiesCard() {
  const { refused } = useScope()
  const [asked, setAsked] = useState<{ readonly id: string; readonly name: string }>()
  const identities = useQuery({
    queryKey: ['identities'],
    queryFn: ({ signal }) => client.call('listSsoIdentities', {}, { signal }),
    enabled: !refused('sso-identity:read'),
  })
  return (
    <Card title="Linked identity providers" about="Through these you can sign in without your password here.">
      {refused('sso-identity:read') ? (
        <p className="quiet">{refused('sso-identity:read')?.message}</p>
      ) : (
        <Loaded query={identities} lines={1}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="quiet">
                None. An admin connects a provider under Admin &gt; Single sign-on; you link your account
                there.
              </p>
            ) : (
              <ul className="stack-s">
                {data.map(({ id, connection_name, issuer, created_at }) => (
                  <li key={id} className="row spread">
                    <span>
                      <strong>{connection_name}</strong> <small>{issuer}</small>{' '}
                      <small>
                        linked <Time at={created_at} />
                      </small>
                    </span>
                    <PermittedButton
                      look="small danger"
                      refused={refused('sso-identity:change')}
                      permission="sso-identity:change"
                      onPress={() => {
                        setAsked({ id, name: connection_name })
                      }}
                    >
                      Unlink
                    </PermittedButton>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      {asked && (
        <Confirm
          title={`Unlink ${asked.name}?`}
          verb="Unlink"
          onClose={() => {
            setAsked(undefined)
          }}
          onConfirm={async () => {
            await client.call('deleteSsoIdentity', { sso_identity_id: asked.id })
            await queryClient.invalidateQueries({ queryKey: ['identities'] })
          }}
        >
          <p>The sessions that were started through it end. You can link it again later.</p>
        </Confirm>
      )}
    </Card>
  )
}
