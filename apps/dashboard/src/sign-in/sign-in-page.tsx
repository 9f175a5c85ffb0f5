import { ERRORS, type ErrorCode as KnownCode } from '@bearing/contracts/errors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { open, returnPathOf } from '../ground/return-path.js'
import { useQueryTexts } from '../ground/url-state.js'
import { useAction } from '../ground/use-action.js'
import { useInput } from '../ground/use-input.js'
import { Button } from '../parts/button.js'
import { Field } from '../parts/field.js'
import { Form } from '../parts/form.js'
import { Front } from '../parts/front.js'
import { PasskeyButton } from '../parts/passkey-button.js'
import { Problem, ErrorCode, RequestId } from '../parts/problem.js'
import { SignInForm } from './sign-in-form.js'

/** Advice for the problems of a sign-on. The URL has codes only, so no link can make this page say something else. */
const ADVICE: Partial<Record<KnownCode, string>> = {
  sso_failed:
    'The sign-on could not be completed. Start again on this page, in the same browser and within ten minutes.',
  sso_access_denied:
    'Your identity provider knows you, but you are not a member of an organization here. Ask an admin to invite you, or link your account first: sign in with your password and open Account.',
  sso_identity_taken: 'This person at the provider is linked with another account here already.',
  sso_connection_not_found: 'There is no such organization, or it has no single sign-on. Check the name.',
  csrf_refused: 'Another site tried to sign you in. Start the sign-on here instead.',
  rate_limited: 'There were too many attempts. Wait a few minutes, then try again.',
  too_many_organizations: 'Your account has reached the limit of organizations.',
}

interface Connection {
  readonly name: string
  readonly sign_in_path: string
}

type Step =
  | { readonly at: 'email' | 'password' | 'organization' }
  | { readonly at: 'connections'; readonly connections: readonly Connection[] }

/** `/sign-in`: the address first, then what it can sign in with. */
export function SignInPage() {
  const search = useQueryTexts()
  const returnTo = returnPathOf(search['return_to'])
  const [email, setEmail] = useState(() => search['email'] ?? '')
  const [step, setStep] = useState<Step>({ at: 'email' })
  const back = () => setStep({ at: 'email' })
  return (
    <Front title="Sign in">
      {search['notice'] === 'password' && (
        <p className="notice good">Your new password is set, and all sessions have ended. Sign in with it.</p>
      )}
      {search['notice'] === 'joined' && <p className="notice good">You have joined. Sign in to continue.</p>}
      <SignOnProblem code={search['problem'] ?? ''} requestId={search['request'] ?? ''} />
      {step.at === 'email' && (
        <EmailStep email={email} onEmail={setEmail} onStep={setStep} returnTo={returnTo} />
      )}
      {step.at === 'connections' && (
        <div className="stack">
          <Connections connections={step.connections} returnTo={returnTo} isPrimary />
          <Button look="wide" onPress={() => setStep({ at: 'password' })}>
            Use a password
          </Button>
          <Button look="plain" onPress={back}>
            Other address
          </Button>
        </div>
      )}
      {step.at === 'password' && (
        <SignInForm email={email.trim()} onOtherEmail={back} onSignedIn={() => open(returnTo)} />
      )}
      {step.at === 'organization' && <OrganizationStep onBack={back} returnTo={returnTo} />}
    </Front>
  )
}

function EmailStep({
  email,
  onEmail,
  onStep,
  returnTo,
}: {
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly onStep: (step: Step) => void
  readonly returnTo: string
}) {
  const partners = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: async ({ signal }) => (await client.call('listSignInOptions', {}, { signal })).partners,
  })
  const action = useAction(async () => {
    const { connections } = await client.call('listSignInOptions', { email: email.trim() })
    onStep(connections.length > 0 ? { at: 'connections', connections } : { at: 'password' })
  })
  return (
    <>
      <Form error={action.error} onSubmit={() => void action.run()}>
        <Field
          label="Email address"
          type="email"
          name="email"
          autoComplete="username webauthn"
          isRequired
          autoFocus
          value={email}
          onChange={onEmail}
        />
        <Problem error={action.error} />
        <Button look="primary wide" type="submit" isPending={action.isPending}>
          Continue
        </Button>
      </Form>
      <div className="divider">or</div>
      <div className="stack-s">
        <Connections
          connections={partners.data ?? []}
          returnTo={returnTo === '/app' ? '/partner' : returnTo}
        />
        <PasskeyButton call="startSession" onDone={() => open(returnTo)} />
        <Button look="wide" onPress={() => onStep({ at: 'organization' })}>
          Continue with your organization
        </Button>
      </div>
      <p className="quiet">No account? An admin of your organization invites you by mail.</p>
    </>
  )
}

function Connections({
  connections,
  returnTo,
  isPrimary = false,
}: {
  readonly connections: readonly Connection[]
  readonly returnTo: string
  readonly isPrimary?: boolean
}) {
  return connections.map(({ name, sign_in_path }) => (
    <a
      key={sign_in_path}
      className={`button wide ${isPrimary ? 'primary' : ''}`}
      href={`${sign_in_path}?${new URLSearchParams({ return_to: returnTo }).toString()}`}
    >
      Continue with {name}
    </a>
  ))
}

function OrganizationStep({ onBack, returnTo }: { readonly onBack: () => void; readonly returnTo: string }) {
  const [slug, slugInput] = useInput('')
  return (
    <Form
      onSubmit={() => {
        const query = new URLSearchParams({ organization: slug.trim(), return_to: returnTo })
        open(`/auth/sso?${query.toString()}`)
      }}
    >
      <Field
        label="Organization Slug"
        name="organization"
        hint="The short name in addresses, such as acme. Your identity provider then signs you in."
        autoComplete="organization"
        isRequired
        autoFocus
        {...slugInput}
      />
      <Button look="primary wide" type="submit">
        Continue
      </Button>
      <Button look="plain" onPress={onBack}>
        Use an email address
      </Button>
    </Form>
  )
}

/** Explains why single sign-on led back here. */
function SignOnProblem({ code, requestId }: { readonly code: string; readonly requestId: string }) {
  if (!Object.hasOwn(ERRORS, code)) return null
  const known = code as KnownCode // as just checked
  return (
    <div className="notice bad" role="alert">
      <p>
        <strong>{ERRORS[known].title}.</strong> {ADVICE[known] ?? 'Try again in a moment.'}
      </p>
      <div className="meta">
        <ErrorCode code={code} />
        {/^[A-Za-z0-9._:-]{1,128}$/.test(requestId) && <RequestId id={requestId} />}
      </div>
    </div>
  )
}
