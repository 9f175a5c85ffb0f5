import { z } from 'zod'
import { event, operation } from '../../operation.js'
import { Id, OrganizationScope } from '../../primitives.js'

/** Form in which the key of a provider is sent: `?key=`, as public geolocation services have it, or `Authorization: Bearer`. */
export const FallbackKeyPlace = z.enum(['query', 'bearer']).meta({ id: 'FallbackKeyPlace' })

const Terms = {
  accuracy_confidence: z
    .number()
    .min(50)
    .max(99)
    .default(68)
    .describe(
      'How often the circle that the provider answers holds the true position, in percent: 50 to 99.',
    ),
  requests_per_minute: z
    .int()
    .min(1)
    .max(60_000)
    .default(60)
    .describe(
      'How often it is asked in a minute, at most; by all processes together where they count together.',
    ),
  timeout_ms: z
    .int()
    .min(100)
    .max(3_000)
    .default(2_000)
    .describe('How long it has to answer, in milliseconds.'),
  key_as: FallbackKeyPlace.default('query'),
}

/** The external provider that Bearing asks for an organization if it does not know a position itself. */
export const LocationFallback = z
  .object({
    url: z.string().nullable().describe('Where; null: nowhere, which is the default.'),
    has_key: z.boolean().describe('Whether a key is sent. It is never shown.'),
    ...Terms,
  })
  .meta({ id: 'LocationFallback' })

/** Fallback of an organization that has set none: no provider is asked. */
export const NO_FALLBACK: z.output<typeof LocationFallback> = {
  url: null,
  has_key: false,
  accuracy_confidence: 68,
  requests_per_minute: 60,
  timeout_ms: 2_000,
  key_as: 'query',
}

export const showLocationFallback = operation({
  subject: 'location.v1.fallback.show',
  summary: 'Show the external provider of an organization',
  input: z.object(OrganizationScope),
  output: LocationFallback,
  errors: [],
  permission: 'location-settings:read',
})

export const setLocationFallback = operation({
  subject: 'location.v1.fallback.set',
  summary: 'Set an external provider for positions that Bearing does not know',
  description:
    'Any service of the widespread geolocation shape; or, if the URL ends with `/location/ground-fix`, one in the form of the location API of nRF Cloud. What could not be located is sent to it: addresses and signal strengths of access points whose owners did not opt out, and radio cells; never who asks or for which device. The key is stored encrypted and belongs to its URL: left out it stays as it was, and where the URL is another one there is none.',
  input: z.object({
    ...OrganizationScope,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .describe('https, without a query, a fragment or credentials.'),
    key: z
      .string()
      .regex(/^[\x21-\x7e]{1,1024}$/, 'must be 1 to 1,024 printable characters without a space')
      .nullish()
      .describe('1 to 1,024 printable characters without a space; null: none.'),
    ...Terms,
  }),
  output: LocationFallback,
  errors: [],
  permission: 'location-settings:change',
})

export const turnOffLocationFallback = operation({
  subject: 'location.v1.fallback.turn-off',
  summary: 'Remove the external provider',
  description: 'The key is deleted. After at most five seconds nothing is sent to the provider.',
  input: z.object(OrganizationScope),
  output: LocationFallback,
  errors: [],
  permission: 'location-settings:change',
})

/** An organization has another provider asked, or none. Not stored: who misses it looks again after five seconds. */
export const locationFallbackChanged = event({
  subject: 'location.v1.fallback.changed',
  data: z.object({ organization_id: Id }),
})
