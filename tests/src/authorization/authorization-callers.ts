import type { PresentedCredential } from '@bearing/contracts/identity/credentials/credential'
import { newMember, type TestOrganization } from '@bearing/testing/factories'

/** Creates a caller of each kind in an organization, but for the project key. By name of the column of the matrix. */
export async function credentialsOf(
  organization: TestOrganization,
): Promise<Record<string, PresentedCredential>> {
  const { project, admin } = organization
  const inProject = async (role: 'manager' | 'member' | 'reader') =>
    byPassword(await newMember(organization, 'member', [{ project, role }]))
  const { token } = await admin.client.call('createOrganizationToken', {
    organization: organization.slug,
    description: 'narrow',
    permissions: ['location:resolve'],
  })
  const bound = await admin.client.call('createOrganizationToken', {
    organization: organization.slug,
    description: 'bound',
    project_ids: [project.id],
  })
  const administration = await admin.client.call('createOrganizationToken', {
    organization: organization.slug,
    description: 'administration',
    preset: 'administration',
  })
  return {
    // By password, because some cells cycle and delete the API key.
    admin: byPassword(await newMember(organization, 'admin')),
    member: byPassword(await newMember(organization, 'member')),
    manager: await inProject('manager'),
    developer: await inProject('member'),
    reader: await inProject('reader'),
    token: organization.token.credential,
    bound: { kind: 'organization_token', token: bound.token },
    narrow: { kind: 'organization_token', token },
    administration: { kind: 'organization_token', token: administration.token },
  }
}

export function byPassword(user: { email: string; password: string }): PresentedCredential {
  return { kind: 'user', email: user.email, secret: user.password }
}
