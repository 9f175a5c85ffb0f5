import { z } from 'zod'
import { operation } from '../../operation.js'
import {
  Id,
  IdempotencyKey,
  Name,
  Nothing,
  PageRequest,
  ProjectScope,
  Timestamp,
  pageOf,
} from '../../primitives.js'

/** The most onboarding tokens of a project. */
export const MAX_ONBOARDING_TOKENS = 100
/** The longest life of an onboarding token, in days. */
export const MAX_ONBOARDING_DAYS = 366

/** A secret that lets devices of a production line claim their serial numbers. */
export const OnboardingToken = z
  .object({
    id: Id,
    name: Name,
    uses: z.int().min(0).describe('How many devices have used it.'),
    max_uses: z.int().min(1).max(1_000_000).describe('How many devices can use it.'),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'OnboardingToken' })

export const listOnboardingTokens = operation({
  subject: 'identity.v1.onboarding-token.list',
  summary: 'List the onboarding tokens of a project',
  description: 'The newest first, those of the last 7 days that have expired too.',
  input: z.object({ ...ProjectScope, ...PageRequest }),
  output: pageOf(OnboardingToken),
  errors: ['project_not_found'],
  permission: 'device:read',
})

export const createOnboardingToken = operation({
  subject: 'identity.v1.onboarding-token.create',
  summary: 'Create an onboarding token',
  description:
    'The token is shown this once. Devices send it with a claim if `device_claims` is `onboarding-token`.',
  input: z.object({
    ...ProjectScope,
    ...IdempotencyKey,
    name: Name.describe('Such as the name of a production line.'),
    max_uses: OnboardingToken.shape.max_uses.default(1),
    expires_at: Timestamp.describe('At most 366 days ahead.'),
  }),
  output: OnboardingToken.extend({ token: z.string() }).meta({ id: 'OnboardingTokenWithSecret' }),
  errors: ['idempotency_conflict', 'project_not_found', 'permission_denied', 'quota_exceeded'],
  permission: 'device-key:manage',
})

export const deleteOnboardingToken = operation({
  subject: 'identity.v1.onboarding-token.delete',
  summary: 'Delete an onboarding token',
  description: 'Keys that were registered with it continue to work.',
  input: z.object({ ...ProjectScope, onboarding_token_id: Id }),
  output: Nothing,
  errors: ['project_not_found', 'permission_denied', 'onboarding_token_not_found'],
  permission: 'device-key:manage',
})
