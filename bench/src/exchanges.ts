import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { TOKEN_EXCHANGE } from '@bearing/contracts/identity/workloads/token-exchange'
import { newOrganization } from '@bearing/testing/factories'
import type { Stack } from '@bearing/testing/stack'
import { httpRequest, type Load } from './load.js'
import { askByTheClock, type OpenLoop } from './yardsticks/open-loop.js'

/** Exchanges a second that are asked for. */
export const EXCHANGES = 500
/** Look-ups a second beside them. */
export const LOOKUPS_BESIDE = 500
/** One organization may exchange 3,000 tokens a minute, and its audit log is one chain. */
const ORGANIZATIONS = 20
const ROUND_SECONDS = 6
const WARM_UP_SECONDS = 3
const AUDIENCE = 'https://bearing.example.com'

/**
 * Exchanges tokens of workloads by a clock, beside look-ups.
 *
 * @param lookUps the look-ups
 * @returns the latency of the exchanges of each round
 */
export async function measureExchanges(
  stack: Stack,
  lookUps: Pick<Load, 'port' | 'requests'>,
  rounds: number,
): Promise<OpenLoop[]> {
  const { port } = new URL(stack.gatewayUrls[0] ?? '')
  const requests = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => exchangeOf(stack)))
  const both = async (seconds: number) => {
    const [exchanges] = await Promise.all([
      askByTheClock({ port: Number(port), requests, seconds }, EXCHANGES),
      askByTheClock({ ...lookUps, seconds }, LOOKUPS_BESIDE),
    ])
    return exchanges
  }
  await both(WARM_UP_SECONDS)
  const measured: OpenLoop[] = []
  for (let round = 0; round < rounds; round++) measured.push(await both(ROUND_SECONDS))
  return measured
}

/** Returns the request of a workload of a new organization, whose trust has the issuer's key. */
async function exchangeOf(stack: Stack): Promise<Buffer> {
  const { admin, slug, id } = await newOrganization(stack)
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const [kid, issuer] = [randomUUID(), `https://${id}.issuer.example.com`]
  const { n, e } = publicKey.export({ format: 'jwk' })
  await admin.client.call('createWorkloadTrust', {
    ...{ organization: slug, name: 'CI', platform: 'github', issuer, audience: AUDIENCE },
    ...{ claims: { repository_id: '123456' }, permissions: ['project:list'] },
    jwks: { keys: [{ kty: 'RSA', n, e, kid, alg: 'RS256' }] },
  })
  const now = Math.floor(Date.now() / 1_000)
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
  const signed = `${encoded({ alg: 'RS256', kid })}.${encoded({
    ...{
      iss: issuer,
      aud: AUDIENCE,
      sub: 'repo:acme/firmware:ref:refs/heads/main',
      iat: now,
      exp: now + 3_600,
    },
    ...{ repository: 'acme/firmware', repository_id: '123456', ref: 'refs/heads/main', run_id: '987' },
  })}`
  const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')
  const form = new URLSearchParams({
    grant_type: TOKEN_EXCHANGE,
    subject_token: `${signed}.${signature}`,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    audience: slug,
  })
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return httpRequest('POST', '/oauth/token', type, form.toString())
}
