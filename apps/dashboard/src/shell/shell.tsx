import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { NoOrganization } from '../deletion/no-organization.js'
import { client, isSignedOut } from '../ground/client.js'
import { me, organizations } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { useProofRequest } from '../ground/proof-request.js'
import { useSignedOut } from '../ground/signed-out.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Icon, Mark } from '../parts/icon.js'
import { Keys } from '../parts/keys.js'
import { Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { open } from '../sign-in/return-path.js'
import { Navigation } from './navigation.js'
import { usePlaces } from './places.js'
import { ConfirmSession } from './confirm-session.js'
import { SignInAgain } from './sign-in-again.js'
import { Switchers } from './switchers.js'
import { useKeys, type Overlay } from './use-keys.js'

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
        <JumpTo />
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

const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.js')).KeysDialog }))

/** Opens the command palette, and listens for the shortcuts of all pages. Both are loaded when they are first wanted. */
function JumpTo() {
  const places = usePlaces()
  const [overlay, setOverlay] = useState<Overlay>()
  useKeys(places, setOverlay)
  const close = () => {
    setOverlay(undefined)
  }
  return (
    <>
      <Button
        look="jump"
        aria-keyshortcuts="Control+K Meta+K"
        onPress={() => {
          setOverlay('palette')
        }}
      >
        <Icon name="search" /> <span>Jump to</span> <Keys keys={['Ctrl', 'K']} />
      </Button>
      <Suspense>
        {overlay === 'palette' && <Palette places={places} onClose={close} />}
        {overlay === 'keys' && <KeysDialog places={places} onClose={close} />}
      </Suspense>
    </>
  )
}

function SignedOut({ email }: { readonly email: string }) {
  const isAsked = useProofRequest()
  if (useSignedOut()) return <SignInAgain email={email} />
  return isAsked ? <ConfirmSession /> : null
}

/** Waits until it is known what the user may do here: controls then do not change under the pointer. */
function ScopedOutlet() {
  const { isLoading, organization, organizationSlug, projectSlug } = useScope()
  const known = useQuery(organizations)
  if (isLoading) return <Skeleton />
  // Unknown is not the same as missing.
  if (!known.data) return <Problem error={known.error} onRetry={() => void known.refetch()} />
  if (organizationSlug !== '' && !organization) return <NoOrganization />
  // What was typed, selected or read for one project is never shown, or sent, for another.
  return <Outlet key={`${organizationSlug}/${projectSlug}`} />
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
        <Link className="button small plain" to="/app/account" aria-keyshortcuts="g u">
          Account
        </Link>
        <a className="button small plain" href="/docs">
          Docs
        </a>
        <Button look="small plain" isPending={action.isPending} onPress={() => void action.run()}>
          <Icon name="out" /> Sign out
        </Button>
      </div>
      <Problem error={action.error} />
    </div>
  )
}
