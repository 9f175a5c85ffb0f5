import { z } from 'zod'
import { asciiDomain } from '../../text/ascii-domain.js'
import { operation } from '../../operation.js'
import { Nothing, OrganizationScope, PageRequest, Timestamp, pageOf } from '../../primitives.js'

/** A domain of e-mail addresses, lower-cased and in ASCII form: at least two labels of letters, digits and "-". */
export const Domain = z
  .string()
  .overwrite(asciiDomain)
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'must be a domain')

/** Prefix of the token in the TXT record. */
export const DOMAIN_RECORD_PREFIX = 'bearing-domain-verification='

/** A domain that an organization says is its own. */
export const SsoDomain = z
  .object({
    domain: z.string(),
    txt_record: z
      .string()
      .describe('The text of a TXT record that the domain has to have when it is verified. Not a secret.'),
    verified_at: Timestamp.nullable(),
  })
  .meta({ id: 'SsoDomain' })

export const listSsoDomains = operation({
  subject: 'identity.v1.sso-domain.list',
  summary: 'List the e-mail domains of an organization',
  input: z.object({ ...OrganizationScope, ...PageRequest }),
  output: pageOf(SsoDomain),
  errors: [],
  permission: 'sso-domain:read',
})

export const addSsoDomain = operation({
  subject: 'identity.v1.sso-domain.add',
  summary: 'Name an e-mail domain of the organization',
  description:
    'Put `txt_record` into the DNS of the domain and verify it then. Adding it again changes nothing.',
  input: z.object({ ...OrganizationScope, domain: Domain }),
  output: SsoDomain,
  errors: ['quota_exceeded'],
  permission: 'sso-domain:manage',
})

export const verifySsoDomain = operation({
  subject: 'identity.v1.sso-domain.verify',
  summary: 'Verify an e-mail domain',
  description:
    'Looks for the TXT record. From then on people with email addresses in the domain can become members at their first sign-in through a connection with `just_in_time`.',
  input: z.object({ ...OrganizationScope, domain: Domain }),
  output: SsoDomain,
  errors: ['sso_domain_not_found', 'sso_domain_unverified'],
  permission: 'sso-domain:manage',
  timeoutMs: 15_000,
})

export const deleteSsoDomain = operation({
  subject: 'identity.v1.sso-domain.delete',
  summary: 'Release an email domain',
  description: 'Members stay members; no new ones join through it.',
  input: z.object({ ...OrganizationScope, domain: Domain }),
  output: Nothing,
  errors: ['sso_domain_not_found'],
  permission: 'sso-domain:manage',
})
