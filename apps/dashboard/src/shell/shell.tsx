import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { client, isSignedOut } from '../ground/client.js'
import { me } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useSignedOut } from '../ground/signed-out.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Icon, Mark } from '../parts/icon.js'
import { Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { open } from '../sign-in/return-path.js'
import { Navigation } from './navigation.js'
import { SignInAgain } from './sign-in-again.js'
import { Switchers } from './switchers.js'

/** Everything below `/app`: navigation at the side, the page beside it. */
export function Shell() {
  const user = useQuery({ ...me, meta: { mayBeSignedOut: true } })
  const location = useLocation()
  const [isOpen, setOpen] = useState(false)
  const isOut = user.data === undefined && isSignedOut(user.error)
  const { href, pathname } = location
  useEffect(() => {
    if (isOut) open(`/sign-in?${new URLSearchParams({ return_to: href }).toString()}`)
  }, [isOut, href])
  // eslint-disable-next-line react-hooks/set-state-in-effect -- a navigation closes the menu, however it was started
  useEffect(() => setOpen(false), [pathname])
  if (user.data === undefined)
    return (
      <div className="front">
        <main>
          {user.error && !isOut ? (
            <Problem error={user.error} onRetry={() => void user.refetch()} />
          ) : (
            <Skeleton />
          )}
        </main>
      </div>
    )
  return (
    <div className="shell">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="top">
        <Link className="brand" to="/app">
          <Mark /> Bearing
        </Link>
        <Button
          look="plain"
          aria-expanded={isOpen}
          aria-controls="side"
          onPress={() => {
            setOpen(!isOpen)
          }}
        >
          <Icon name="menu" /> Menu
        </Button>
      </header>
      <aside className="side" id="side" aria-label="Dashboard" {...(isOpen && { 'data-open': '' })}>
        <Link className="brand" to="/app">
          <Mark /> Bearing
        </Link>
        <Switchers />
        <Navigation />
        <SideEnd email={user.data.email} />
      </aside>
      <main className="main" id="main" tabIndex={-1}>
        <ScopedOutlet />
      </main>
      <SignedOut email={user.data.email} />
    </div>
  )
}

function SignedOut({ email }: { readonly email: string }) {
  return useSignedOut() ? <SignInAgain email={email} /> : null
}

/** Waits until it is known what the user may do here: controls then do not change under the pointer. */
function ScopedOutlet() {
  return useScope().isLoading ? <Skeleton /> : <Outlet />
}

function SideEnd({ email }: { readonly email: string }) {
  const action = useAction(async () => {
    await client.call('signOut', {})
    open('/sign-in')
  })
  return (
    <div className="side-end">
      <span className="who" title={email}>
        {email}
      </span>
      <div className="row spread">
        <Link className="button small plain" to="/app/account">
          Account
        </Link>
        <Button look="small plain" isPending={action.isPending} onPress={() => void action.run()}>
          <Icon name="out" /> Sign out
        </Button>
      </div>
      <Problem error={action.error} />
    </div>
  )
}
