import { Id, Slug } from '@bearing/contracts/primitives'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isSignedOut } from '../ground/client.js'
import { me } from '../ground/queries.js'
import { useQueryTexts } from '../ground/url-state.js'
import { Button } from '../parts/button.js'
import { Front } from '../parts/front.js'
import { Loaded } from '../parts/loaded.js'
import { open, returnPathOf } from '../ground/return-path.js'

/** `/sign-on/switch`: another site has sent a browser here that is signed in already. */
export function SwitchPage() {
  const search = useQueryTexts()
  const start = startPath(search)
  const user = useQuery({ ...me, meta: { mayBeSignedOut: true } })
  const isOut = isSignedOut(user.error)
  useEffect(() => {
    if (isOut && start !== undefined) open(start)
  }, [isOut, start])
  if (start === undefined)
    return (
      <Front
        title="Nothing to switch to"
        about="The address of this page is incomplete. Start at the site that sent you here."
      >
        <a className="button wide" href="/app">
          Open the dashboard
        </a>
      </Front>
    )
  return (
    <Front
      title="Continue as another user?"
      about="Another site wants to sign you in. You are signed in already, so nothing has happened yet."
    >
      {!isOut && (
        <Loaded query={user} lines={2}>
          {({ email }) => (
            <>
              <p>
                You are <strong>{email}</strong>. If you continue, this session ends and your identity
                provider says who you are.
              </p>
              <Button look="primary wide" onPress={() => open(start)}>
                Continue as another user
              </Button>
              <a className="button wide" href="/app">
                Stay signed in as {email}
              </a>
            </>
          )}
        </Loaded>
      )}
    </Front>
  )
}

/** Returns the path that starts the sign-on, from our own origin. */
function startPath(search: Readonly<Record<string, string>>): string | undefined {
  const returnTo = new URLSearchParams({ return_to: returnPathOf(search['return_to']) })
  const connection = Id.safeParse(search['connection'])
  if (connection.success) return `/auth/sso/${connection.data}/start?${returnTo.toString()}`
  const organization = Slug.safeParse(search['organization'])
  if (!organization.success) return undefined
  returnTo.set('organization', organization.data)
  return `/auth/sso?${returnTo.toString()}`
}
