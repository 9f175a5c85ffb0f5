import { z } from 'zod'
import { operation } from '../../operation.js'
import { DeviceLogins, SecondFactorKind } from '../../principal.js'
import { OrganizationScope } from '../../primitives.js'

/** Requirements on sign-ins for access to an organization. */
export const SignInPolicy = z
  .object({
    sso_required: z.boolean().describe('Whether only users who came by single sign-on are let in.'),
    second_factor_required: z.boolean().describe('Whether only users who have a second factor are let in.'),
    second_factor_kind: SecondFactorKind.default('any').describe(
      'Which second factor that is: `any`; `phishing-resistant`, a session that was started or confirmed with a passkey.',
    ),
    device_logins: DeviceLogins.default('on').describe(
      'Which sessions of command lines (`bearing login`) are let in: `on`, all; `same-network`, those that asked from the IPv4 address or IPv6 /64 of the browser that allowed them; `off`, none.',
    ),
  })
  .meta({ id: 'SignInPolicy' })
export type SignInPolicy = z.infer<typeof SignInPolicy>

export const showSignInPolicy = operation({
  subject: 'identity.v1.sign-in-policy.show',
  summary: 'Show how people have to sign in',
  input: z.object(OrganizationScope),
  output: SignInPolicy,
  errors: [],
  permission: 'sign-in-policy:read',
})

export const changeSignInPolicy = operation({
  subject: 'identity.v1.sign-in-policy.change',
  summary: 'Change how people have to sign in',
  description:
    'Omitted fields stay as they are. It is effective at every gateway within a second, and only for this organization. The admin who switches a rule on has to fulfil it, so that nobody locks themselves out: requiring single sign-on needs a session that was started through a connection of the organization.',
  input: z.object({
    ...OrganizationScope,
    sso_required: z.boolean().optional(),
    second_factor_required: z.boolean().optional(),
    second_factor_kind: SecondFactorKind.optional().describe('Which second factor that is.'),
    device_logins: DeviceLogins.optional(),
  }),
  output: SignInPolicy,
  errors: ['recent_sign_in_required', 'permission_denied', 'second_factor_required', 'sso_required'],
  permission: 'sign-in-policy:change',
  proof: 'recent',
})

/**
 * Lets users into an organization without single sign-on again. For operators, where its identity provider is gone and
 * nobody gets in to say so.
 */
export const releaseSsoRule = operation({
  subject: 'identity.v1.sign-in-policy.release-sso',
  summary: 'Take back that an organization requires single sign-on',
  input: z.object({ organization_id: OrganizationScope.organization_id }),
  output: SignInPolicy,
  errors: ['organization_not_found'],
  permission: 'sign-in-policy:release',
})
