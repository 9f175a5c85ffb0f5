import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../ground/client.js'
import { signInPolicyOf } from '../ground/queries.js'
import { queryClient } from '../ground/query-client.js'
import { useScope } from '../ground/scope.js'
import { PermittedButton } from '../parts/button.js'
import { AsCommand } from '../parts/command.js'
import { Confirm } from '../parts/confirm.js'
import { Loaded } from '../parts/loaded.js'

/** Requires single sign-on, or lets passwords and API keys in again. */
export function SsoRule() {
  const { organizationSlug: organization, organization: shown, user } = useScope()
  const [isAsked, setAsked] = useState(false)
  const policy = useQuery(signInPolicyOf(organization))
  const isRequired = policy.data?.sso_required === true
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
            <PermittedButton
              aria-haspopup="dialog"
              permission="sign-in-policy:change"
              isDisabled={!isRequired && !isProven}
              onPress={() => setAsked(true)}
            >
              {isRequired ? 'Make it optional …' : 'Require single sign-on …'}
            </PermittedButton>
            {!isRequired && !isProven && <p className="hint">Sign in through it first.</p>}
          </div>
          {isAsked && (
            <Confirm
              title={isRequired ? 'Make single sign-on optional?' : 'Require single sign-on?'}
              verb={isRequired ? 'Make it optional' : 'Require it'}
              onClose={() => setAsked(false)}
              onConfirm={async () => {
                await client.call('changeSignInPolicy', { organization, sso_required: !isRequired })
                await queryClient.invalidateQueries({ queryKey: ['sign-in-policy', organization] })
                await queryClient.invalidateQueries({ queryKey: ['me'] })
              }}
            >
              <p>
                {isRequired
                  ? 'Members can then use passwords and user API keys for this organization again.'
                  : 'Within a second, passwords and user API keys of all members are refused for this organization. Their other organizations, and organization auth tokens, are not affected.'}
              </p>
              <AsCommand
                bearing={`bearing --org ${organization} organizations sign-in-policy set --sso ${isRequired ? 'optional' : 'required'}`}
                call={['changeSignInPolicy', { organization, sso_required: !isRequired }]}
              />
            </Confirm>
          )}
        </>
      )}
    </Loaded>
  )
}
