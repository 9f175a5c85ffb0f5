import { newToken, type TestOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { percentiles } from './figures.js'

const REVOCATIONS = 200
const TIMEOUT_MS = 5_000

/**
 * Measures how long a deleted organization token still works: from the reply to the deletion until all gateways refuse
 * it, each of which has it in its cache.
 *
 * @returns the 99th percentile of 200 deletions, in milliseconds
 */
export async function measureRevocation(stack: Stack, organization: TestOrganization): Promise<number> {
  const delays: number[] = []
  for (let i = 0; i < REVOCATIONS; i++) {
    const token = await newToken(organization, stack)
    for (const url of stack.gatewayUrls)
      if ((await use(url, organization.slug, token.token)) !== 200) throw new Error('a new token was refused')
    await organization.admin.client.call('deleteOrganizationToken', {
      organization: organization.slug,
      organization_token_id: token.id,
    })
    const deletedAt = performance.now()
    await Promise.all(
      stack.gatewayUrls.map((url) => untilRefused(url, organization.slug, token.token, deletedAt)),
    )
    delays.push(performance.now() - deletedAt)
  }
  return percentiles(delays).p99Ms
}

async function untilRefused(url: string, slug: string, token: string, since: number): Promise<void> {
  while ((await use(url, slug, token)) !== 401)
    if (performance.now() - since > TIMEOUT_MS)
      throw new Error('a deleted token was still accepted after five seconds')
}

async function use(url: string, slug: string, token: string): Promise<number> {
  const response = await fetch(`${url}/api/v0/organizations/${slug}/projects`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await response.arrayBuffer()
  return response.status
}
