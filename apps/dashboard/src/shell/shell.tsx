import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isSignedOut } from '../ground/client.js'
import { useProofRequest } from '../ground/proof-request.js'
import { me, organizations } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { open } from '../ground/return-path.js'
import { keepScope, useScope } from '../ground/scope.js'
import { signOut } from '../ground/sign-out.js'
import { useSignedOut, signedOut } from '../ground/signed-out.js'
import { useAction } from '../ground/use-action.js'
import { Button } from '../parts/button.js'
import { Dialog } from '../parts/dialog.js'
import { Icon, Mark } from '../parts/icon.js'
import { Skeleton } from '../parts/page.js'
import { Problem } from '../parts/problem.js'
import { SignInForm } from '../sign-in/sign-in-form.js'
import { Navigation, SectionTabs } from './navigation.js'
import { usePlaces } from './places.js'
import { Switcher } from './switcher.js'

/** Everything below `/app`: navigation at the side, the page beside it. */
export function Shell() {
  // Reads organizations and projects beside the user, rather than after it.
  useScope()
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
        <Button look="plain" aria-expanded={isOpen} aria-controls="side" onPress={() => setOpen(!isOpen)}>
          <Icon name="menu" /> Menu
        </Button>
      </header>
      <aside className="side" id="side" aria-label="Dashboard" {...(isOpen && { 'data-open': '' })}>
        <Link className="brand" to="/app">
          <Mark /> Bearing
        </Link>
        <Switcher />
        <JumpTo />
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

const NoOrganization = lazy(async () => ({
  default: (await import('../settings/no-organization.js')).NoOrganization,
}))
const ConfirmSession = lazy(async () => ({
  default: (await import('./confirm-session.js')).ConfirmSession,
}))
const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }))

/** Opens the command palette, with its key too. It is loaded when it is first wanted. */
function JumpTo() {
  const places = usePlaces()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey, ctrlKey, metaKey } = event
      if (key.toLowerCase() !== 'k' || altKey || shiftKey || !(ctrlKey || metaKey)) return
      // A dialog could be left by accident.
      if (event.defaultPrevented || document.querySelector('[role="dialog"], [role="alertdialog"]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <Button look="jump" aria-keyshortcuts="Control+K Meta+K" onPress={() => setOpen(true)}>
        <Icon name="search" /> <span>Jump to</span> <kbd aria-hidden="true">Ctrl K</kbd>
      </Button>
      <Suspense>{isOpen && <Palette places={places} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

function SignedOut({ email }: { readonly email: string }) {
  const isAsked = useProofRequest()
  if (useSignedOut()) return <SignInAgain email={email} />
  return <Suspense>{isAsked && <ConfirmSession />}</Suspense>
}

/** Waits until it is known what the user may do here: controls then do not change under the pointer. */
function ScopedOutlet() {
  const scope = useScope()
  const { isLoading, organization, organizationSlug, projectSlug } = scope
  const known = useQuery(organizations)
  useEffect(() => keepScope(scope))
  if (isLoading) return <Skeleton />
  // Unknown is not the same as missing.
  if (!known.data) return <Problem error={known.error} onRetry={() => void known.refetch()} />
  if (organizationSlug !== '' && !organization)
    return (
      <Suspense fallback={<Skeleton />}>
        <NoOrganization />
      </Suspense>
    )
  // Input, selection and data of one project are never shown, or sent, for another.
  return (
    <>
      <SectionTabs />
      <Outlet key={`${organizationSlug}/${projectSlug}`} />
    </>
  )
}

function SideEnd({ email }: { readonly email: string }) {
  const action = useAction(signOut)
  return (
    <div className="side-end">
      <span className="who" title={email}>
        {email}
      </span>
      <div className="row spread">
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

/** Asks to sign in again, over the page: nothing that was typed is lost. */
function SignInAgain({ email }: { readonly email: string }) {
  return (
    <Dialog title="Your session has ended" isLocked isUnasked onClose={() => undefined}>
      <p className="quiet">Sign in again to continue where you are.</p>
      <SignInForm
        email={email}
        onSignedIn={() => {
          signedOut.set(false)
          void queryClient.invalidateQueries({ queryKey: me.queryKey })
          void queryClient.invalidateQueries()
        }}
      />
      <p className="quiet">
        With single sign-on, or as another user: <a href="/sign-in">open the sign-in page</a>.
      </p>
    </Dialog>
  )
}
