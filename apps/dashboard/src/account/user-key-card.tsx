import { ProblemError } from '@bearing/client/errors'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { makeCall } from '../ground/calling.js'
import { client } from '../ground/client.js'
import { installation } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { Command } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { DialogButton } from '../parts/dialog-button.js'
import { Loaded } from '../parts/loaded.js'
import { Card, Page } from '../parts/page.js'
import { Time } from '../parts/time.js'
import { UserKeyDialog } from './user-key-dialog.js'

const KEY = ['user-key']

/** Shows, creates, replaces and deletes the user's API key. */
export function UserKeyCard() {
  const { organizationSlug, refused, user } = useScope()
  const config = useQuery(installation)
  const key = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      try {
        return await client.call('showUserKey', {}, { signal })
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'user_key_not_found') return null
        throw error
      }
    },
    enabled: !refused('user-key:read'),
  })
  const unseen = refused('user-key:read')
  return (
    <Card
      title="User API Key"
      about="For the API and the command line, with your email address as user name."
    >
      {unseen ? (
        <>
          <p className="quiet">{unseen.message}</p>
          {organizationSlug !== '' && (
            <p>
              For automation use an{' '}
              <Link to={`/app/o/${organizationSlug}/admin/tokens`}>organization auth token</Link>.
            </p>
          )}
        </>
      ) : (
        <Loaded query={key} lines={1}>
          {(shown) => (
            <>
              {shown === null ? (
                <p>
                  <span className="badge">none</span> You have no API key.
                </p>
              ) : (
                <p className="row">
                  <span className="badge good">active</span>
                  <span>
                    created <Time at={shown.created_at} />
                  </span>
                  {shown.expires_at !== null && (
                    <span>
                      · ends <Time at={shown.expires_at} />
                    </span>
                  )}
                  {shown.second_factor && <span className="badge">created with the second factor</span>}
                </p>
              )}
              <div className="row">
                <DialogButton
                  look={shown === null ? 'primary' : ''}
                  permission="user-key:cycle"
                  dialog={(close) => <UserKeyDialog isReplacing={shown !== null} onClose={close} />}
                  onClosed={() => queryClient.invalidateQueries({ queryKey: KEY })}
                >
                  {shown === null ? 'Create the key' : 'Replace the key'}
                </DialogButton>
                {shown !== null && (
                  <ConfirmButton
                    permission="user-key:delete"
                    text="Delete"
                    title="Delete your API key?"
                    verb="Delete"
                    onConfirm={() => makeCall('deleteUserKey', {}, KEY)}
                  >
                    <p>Everything that uses it is refused immediately.</p>
                  </ConfirmButton>
                )}
              </div>
              <Command
                text={`curl --user "${user?.email ?? ''}:$USER_API_KEY" ${config.data?.public_url ?? ''}/api/v0/organizations`}
              />
            </>
          )}
        </Loaded>
      )}
    </Card>
  )
}

/** `…/settings/user-api-key`. It stands under a project because people look for it there; it is the user's. */
export function UserKeyPage() {
  return (
    <Page
      title="User API Key"
      about="It is yours, and works in every organization that you belong to. For automation use an organization auth token."
    >
      <UserKeyCard />
    </Page>
  )
}
