import { useQuery } from '@tanstack/react-query'
import { makeCall, calling } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { open } from '../ground/return-path.js'
import { useScope } from '../ground/scope.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { Card } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { Time } from '../parts/time.js'

export function IdentitiesCard() {
  const { refused } = useScope()
  const identities = useQuery({
    ...calling(['identities'], 'listSsoIdentities', {}),
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
              <p className="quiet">None.</p>
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
                    <ConfirmButton
                      look="small danger"
                      permission="sso-identity:change"
                      text="Unlink"
                      title={`Unlink ${connection_name}?`}
                      verb="Unlink"
                      onConfirm={() => makeCall('deleteSsoIdentity', { sso_identity_id: id }, ['identities'])}
                    >
                      <p>The sessions that were started through it end. You can link it again later.</p>
                    </ConfirmButton>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      {!refused('sso-identity:change') && (
        <LinkProviders known={identities.data?.data.map(({ connection_id }) => connection_id) ?? []} />
      )}
    </Card>
  )
}

/** Offers the providers of the user's email domain that are not linked yet. */
function LinkProviders({ known }: { readonly known: readonly string[] }) {
  const { user } = useScope()
  const email = user?.email ?? ''
  const options = useQuery({
    ...calling(['sign-in-options', email], 'listSignInOptions', { email }),
    enabled: email !== '',
  })
  const link = useAction(async (connection_id: string) => {
    const begun = await client.call('beginLink', { connection_id, return_to: '/app/account' })
    open(begun.authorization_url)
  })
  const connections = (options.data?.connections ?? []).flatMap(({ name, sign_in_path }) => {
    const [, id = ''] = /^\/auth\/sso\/([^/]+)\/start$/.exec(sign_in_path) ?? []
    return id === '' || known.includes(id) ? [] : [{ id, name }]
  })
  return (
    <>
      {connections.map(({ id, name }) => (
        <div key={id}>
          <Button isPending={link.isPending} onPress={() => void link.run(id)}>
            Link {name}
          </Button>
        </div>
      ))}
      <Problem error={link.error} />
    </>
  )
}
