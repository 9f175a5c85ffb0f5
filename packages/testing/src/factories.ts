import { randomBytes } from 'node:crypto'
import { BearingClient } from '@bearing/client/client'
import type { ClientCredential } from '@bearing/client/client-options'
import { createUser, grantMembership } from '@bearing/contracts/identity/people/user'
import { ORGANIZATION_TOKEN, type OrganizationRole, type ProjectRole } from '@bearing/contracts/principal'
import type { StackAddresses } from './addresses.js'
import { callAsOperator } from './call-as-operator.js'
import { eventually } from './eventually.js'
import { testStack } from './stack.js'

// Everything here goes through the interfaces that people and programs use, and has random names: suites
// that run at the same time do not meet.

/** A user account with an API key. */
export interface TestUser {
  readonly id: string
  readonly email: string
  readonly password: string
  /** The API key's secret. */
  readonly apiKey: string
  /** E-mail address and API key. */
  readonly credential: ClientCredential
  /** Calls the first gateway with {@link credential}. */
  readonly client: BearingClient
}

/** A project and its key. */
export interface TestProject {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** 32 hexadecimal digits. */
  readonly key: string
}

/** An organization token with all the permissions one can have. */
export interface TestToken {
  readonly id: string
  /** The secret. */
  readonly token: string
  readonly credential: ClientCredential
  /** Calls the first gateway with it. */
  readonly client: BearingClient
}

export interface TestOrganization {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly admin: TestUser
  readonly project: TestProject
  readonly token: TestToken
}

/** A role in a project, for {@link newMember}. */
export interface ProjectMembership {
  readonly project: Pick<TestProject, 'id'>
  readonly role: ProjectRole
}

/**
 * Calls a gateway with a credential.
 *
 * @param gateway number of the gateway, from 0
 */
export function clientFor(
  credential: ClientCredential | undefined,
  stack: StackAddresses = testStack(),
  gateway = 0,
): BearingClient {
  const url = stack.gatewayUrls[gateway]
  if (url === undefined) throw new Error(`the stack has no gateway ${gateway}`)
  return new BearingClient({ url, credential })
}

/** Makes a user account with an API key. It belongs to no organization. */
export async function newUser(stack: StackAddresses = testStack()): Promise<TestUser> {
  const email = `${unique('user')}@example.com`
  const password = unique('a good password')
  const { user_id: id } = await callAsOperator(createUser, { email, password }, stack)
  const byPassword = clientFor({ kind: 'user', email, secret: password }, stack)
  const { api_key: apiKey } = await byPassword.call('cycleUserKey', {})
  const credential = { kind: 'user', email, secret: apiKey } as const
  return { id, email, password, apiKey, credential, client: clientFor(credential, stack) }
}

/** Makes an organization: its admin, a project with its key, and an organization token. */
export async function newOrganization(stack: StackAddresses = testStack()): Promise<TestOrganization> {
  const admin = await newUser(stack)
  const slug = unique('org')
  const { id, name } = await admin.client.call('createOrganization', { name: `Organization ${slug}`, slug })
  // The gateway has cached the admin without memberships; an event removes the cache entry.
  const project = await eventually(() => newProject({ slug, admin }), { withinMs: 20_000 })
  const token = await newToken({ slug, admin }, stack)
  return { id, slug, name, admin, project, token }
}

/** Makes one more project. */
export async function newProject({
  slug,
  admin,
}: Pick<TestOrganization, 'slug' | 'admin'>): Promise<TestProject> {
  const projectSlug = unique('project')
  const name = `Project ${projectSlug}`
  const { id } = await admin.client.call('createProject', { organization: slug, name, slug: projectSlug })
  const { api_key: key } = await admin.client.call('showProjectKey', {
    organization: slug,
    project: projectSlug,
  })
  return { id, slug: projectSlug, name, key }
}

/** Makes one more organization token. */
export async function newToken(
  { slug, admin }: Pick<TestOrganization, 'slug' | 'admin'>,
  stack: StackAddresses = testStack(),
): Promise<TestToken> {
  const created = await admin.client.call('createOrganizationToken', {
    organization: slug,
    description: unique('token'),
  })
  const credential = { kind: ORGANIZATION_TOKEN, token: created.token } as const
  return { id: created.id, token: created.token, credential, client: clientFor(credential, stack) }
}

/** Makes a user who belongs to an organization. */
export async function newMember(
  organization: Pick<TestOrganization, 'id'>,
  role: OrganizationRole,
  projects: readonly ProjectMembership[] = [],
  stack: StackAddresses = testStack(),
): Promise<TestUser> {
  const user = await newUser(stack)
  await callAsOperator(
    grantMembership,
    {
      organization_id: organization.id,
      user_id: user.id,
      role,
      projects: projects.map((membership) => ({ project_id: membership.project.id, role: membership.role })),
    },
    stack,
  )
  // The gateway has cached the account without memberships; an event removes the cache entry.
  const byPassword = clientFor({ kind: 'user', email: user.email, secret: user.password }, stack)
  await eventually(async () => {
    const known = await byPassword.call('whoAmI', {})
    if (known.kind !== 'user' || known.grants.length === 0)
      throw new Error('the gateway does not know the membership yet')
  })
  return user
}

function unique(what: string): string {
  return `${what}-${randomBytes(6).toString('hex')}`
}
