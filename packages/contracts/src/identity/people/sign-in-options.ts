import { z } from 'zod'
import { operation } from '../../operation.js'
import { Email } from '../../primitives.js'

/** The most connections that are listed of each kind. */
export const MAX_SIGN_IN_OPTIONS = 10

/** A way to sign in through an identity provider. */
const SignInConnection = z
  .object({
    name: z.string().describe('What its organization or the operator calls it.'),
    sign_in_path: z.string().describe('Path where people sign in through it.'),
  })
  .meta({ id: 'SignInConnection' })

export const listSignInOptions = operation({
  subject: 'identity.v1.sign-in-options.list',
  summary: 'List the ways in which an email address can sign in',
  description:
    'For the sign-in page; no credential is needed. `connections` are those of the organizations that have verified the domain of the address, at most 10 by name; `partners` are the consoles of partners that this installation is connected with. The reply depends on the domain only, so it does not reveal whether there is an account.',
  input: z.object({
    email: Email.optional().describe('Left out: only what does not depend on an address.'),
  }),
  output: z
    .object({
      password: z.boolean().describe('Always true: an account can have a password.'),
      connections: z.array(SignInConnection),
      partners: z.array(SignInConnection),
    })
    .meta({ id: 'SignInOptions' }),
  errors: [],
  permission: 'public',
})
