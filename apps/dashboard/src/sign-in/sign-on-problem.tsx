import { ERRORS, type ErrorCode as KnownCode } from '@bearing/contracts/errors'
import { ErrorCode, RequestId } from '../parts/problem.js'

/** What to do about the problems of a sign-on. The URL has codes only, so no link can make this page say something else. */
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

/** Explains why single sign-on led back here. */
export function SignOnProblem({ code, requestId }: { readonly code: string; readonly requestId: string }) {
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
