import { me } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { signedOut } from '../ground/signed-out.js'
import { Dialog } from '../parts/dialog.js'
import { SignInForm } from '../sign-in/sign-in-form.js'

/** Asks to sign in again, over the page: nothing that was typed is lost. */
export function SignInAgain({ email }: { readonly email: string }) {
  return (
    <Dialog title="Your session has ended" isOpen isLocked isUnasked onClose={() => undefined}>
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
