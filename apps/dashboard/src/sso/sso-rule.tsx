import { useQuery } from '@tanstack/react-query'
import { signInPolicyOf } from '../ground/queries.js'
import { useScope } from '../ground/scope.js'
import { AsCommand } from '../parts/command.js'
import { ConfirmButton } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'
import { useSave } from '../parts/save-form.js'

/** Requires single sign-on, or lets passwords and API keys in again. */
export function SsoRule() {
  const { organizationSlug: organization, organization: shown, user } = useScope()
  const policy = useQuery(signInPolicyOf(organization))
  const isRequired = policy.data?.sso_required === true
  const input = { organization, sso_required: !isRequired }
  const save = useSave('changeSignInPolicy', input, ['sign-in-policy', organization], ['me'])
  // Through any provider of the organization, that of a partner too.
  const isProven = shown !== undefined && user?.sso?.organization_id === shown.id
  return (
    <Loaded query={policy} lines={1}>
      {() => (
        <>
          <p className="row">
            <span className={`badge ${isRequired ? 'good' : ''}`}>
              {isRequired ? 'required' : 'optional'}
            </span>
            {isRequired
              ? 'Only sessions of single sign-on reach this organization. Automation uses organization auth tokens.'
              : 'Passwords and user API keys reach this organization too.'}
          </p>
          <div className="row">
            <ConfirmButton
              look=""
              permission="sign-in-policy:change"
              isDisabled={!isRequired && !isProven}
              text={isRequired ? 'Make it optional …' : 'Require single sign-on …'}
              title={isRequired ? 'Make single sign-on optional?' : 'Require single sign-on?'}
              verb={isRequired ? 'Make it optional' : 'Require it'}
              onConfirm={save.make}
            >
              <p>
                {isRequired
                  ? 'Members can then use passwords and user API keys for this organization again.'
                  : 'Within a second, passwords and user API keys of all members are refused for this organization. Their other organizations, and organization auth tokens, are not affected.'}
              </p>
              <AsCommand
                bearing={`bearing --org ${organization} organizations sign-in-policy set --sso ${isRequired ? 'optional' : 'required'}`}
                call={save.call}
              />
            </ConfirmButton>
            {!isRequired && !isProven && <p className="hint">Sign in through it first.</p>}
          </div>
        </>
      )}
    </Loaded>
  )
}
