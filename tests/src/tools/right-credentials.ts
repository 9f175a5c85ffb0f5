import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import type { TestOrganization } from '@bearing/testing/factories'
import type { RightCredentials } from '../campaigns/malformed-credentials.js'
import { send } from './http.js'
import { GITHUB, WorkloadIssuer } from './workload-issuer.js'

/** Returns a valid credential of each kind of an organization. */
export async function rightCredentials(gateway: string, own: TestOrganization): Promise<RightCredentials> {
  const organization = own.slug
  await using issuer = await WorkloadIssuer.start()
  const { client } = own.admin
  await client.call('createWorkloadTrust', {
    ...{ organization, name: 'campaign', platform: 'github', issuer: issuer.issuer, audience: gateway },
    ...{
      claims: { repository_id: GITHUB.repository_id },
      permissions: ['organization-token:derive', 'project:read'],
    },
  })
  const workloadToken = await issuer.sign({ aud: gateway, ...GITHUB })
  const { json } = await send(gateway, 'POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...{ grant_type: TOKEN_EXCHANGE, subject_token: workloadToken, audience: organization },
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    }).toString(),
  })
  const exchanged = String(json?.['access_token'])
  const derived = await send(gateway, 'POST', `/api/v0/organizations/${organization}/auth_tokens/derive`, {
    credential: { kind: 'organization_token', token: exchanged },
    body: {},
  })
  const { token } = derived.json?.data as { token: string }
  return {
    organizationToken: own.token.token,
    furtherTokens: [exchanged, token],
    workloadToken,
    email: own.admin.email,
    userKey: own.admin.apiKey,
    projectKey: own.project.key,
  }
}
