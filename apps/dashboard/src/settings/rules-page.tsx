import { useScope } from '../ground/scope.js'
import { whoCan } from '../ground/who-can.js'
import { Page } from '../parts/page.js'
import { DeviceLoginRule } from './device-login-rule.js'
import { SecondFactorRule } from './second-factor-rule.js'
import { TokenRules } from './token-rules.js'

/** `…/admin/rules`: what the organization demands of its people and of its tokens. */
export function RulesPage() {
  const { refused } = useScope()
  return (
    <Page
      title="Rules"
      about="What the organization demands. Every gateway goes by a changed rule within a second."
    >
      {refused('sign-in-policy:read') ? (
        <p className="notice">Only for {whoCan('sign-in-policy:read')}.</p>
      ) : (
        <>
          <SecondFactorRule />
          <DeviceLoginRule />
          <TokenRules />
        </>
      )}
    </Page>
  )
}
