import { cpus, totalmem } from 'node:os'
import { newOrganization } from '@bearing/testing/factories'
import { startStack } from '@bearing/testing/stack'
import { scans, storeAccessPoints } from './access-points.js'
import { startBaseline } from './baseline/start-baseline.js'
import { startNginx } from './baseline/start-nginx.js'
import { compareChunks } from './chunks.js'
import { MANY_CONNECTIONS, compareHttp } from './compare-http.js'
import { compareImports } from './imports.js'
import { compareIntrospection } from './introspection.js'
import { learnBuilding } from './learned-building.js'
import { httpRequest } from './load.js'
import { comparePasswords } from './passwords.js'
import { measureRevocation } from './revocation.js'
import { measureUploads } from './uploads.js'

const STORED = 1_000_000
const SCAN_SIZE = 20
/** Places that devices ask from again and again: what a running fleet looks like. */
const WARM_PLACES = 500
/** So many that most look-ups meet access points that no cache has. */
const COLD_PLACES = 40_000

type Part =
  'chunks' | 'uploads' | 'imports' | 'location' | 'projects' | 'introspection' | 'revocation' | 'passwords'

/** `pnpm bench` measures everything, `pnpm bench location projects` these two. */
const wanted = (part: Part) => process.argv.length <= 2 || process.argv.includes(part)
const say = (text: string) => process.stdout.write(`${text}\n`)

say(
  `${String(cpus().length)} × ${cpus()[0]?.model ?? '?'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`,
)
say('starting the stack …')
const quiet = { LOG_LEVEL: 'warn' }
// Counted all the same, since that is a part of what a request costs.
// As it is by default: the stack's own is for tests.
const passwords = { PASSWORD_HASH_MEMORY_KIB: '19456' }
const constants = { identity: { PASSWORD_HASH_PASSES: 2, PASSWORD_HASH_SHARE: 10 } }
const unlimited = { REQUESTS_PER_CREDENTIAL: '1000000000', REQUESTS_PER_ORGANIZATION: '1000000000' }
const stack = await startStack({
  postgres: 'own',
  environment: {
    gateway: { ...quiet, ...unlimited },
    identity: { ...quiet, ...passwords },
    management: quiet,
    location: quiet,
  },
  constants,
})
const baseline = await startBaseline(stack.natsUrl)
try {
  const organization = await newOrganization(stack)
  if (wanted('location') || wanted('passwords')) {
    say('storing 1,000,000 access points …')
    await storeAccessPoints(stack.adminDatabaseUrl, STORED)
  }
  const gateway = Number(new URL(stack.gatewayUrls[0] ?? '').port)
  const authorization = { Authorization: `Bearer ${organization.token.token}` }
  const json = { ...authorization, 'Content-Type': 'application/json' }
  const location = `/v1/organizations/${organization.slug}/projects/${organization.project.slug}/location/wifi`
  const warm = scans(STORED, WARM_PLACES, SCAN_SIZE)
  const cold = scans(STORED, COLD_PLACES, SCAN_SIZE)
  const bare = (bodies: readonly string[]) =>
    bodies.map((body) => httpRequest('POST', '/echo', { 'Content-Type': 'application/json' }, body))
  const located = (bodies: readonly string[]) =>
    bodies.map((body) => httpRequest('POST', location, json, body))

  if (wanted('chunks')) {
    const key = { 'Service-Project-Key': organization.project.key }
    await compareChunks(stack, { baseline: baseline.port, gateway, key })
  }
  if (wanted('uploads'))
    await measureUploads(stack, {
      baseline: baseline.port,
      gateway: stack.gatewayUrls[0] ?? '',
      projectKey: organization.project.key,
    })
  if (wanted('imports')) await compareImports(stack, organization)
  if (wanted('location')) {
    say('learning a building …')
    const building = await learnBuilding(stack, organization)
    const nginx = await startNginx(organization.token.token)
    const behindNginx = warm.map((body) => httpRequest('POST', '/echo', json, body))
    const title = 'Wi-Fi location, 20 access points against 1,000,000 stored'
    const compared = [
      { name: 'bare Fastify → NATS → echo', port: baseline.port, requests: bare(warm) },
      { name: 'nginx auth_request → bare Fastify', port: nginx.port, requests: behindNginx },
      { name: 'gateway → location, 500 places (warm)', port: gateway, requests: located(warm) },
    ]
    await compareHttp(title, [
      ...compared,
      { name: 'gateway → location, 40,000 places (cold)', port: gateway, requests: located(cold) },
      {
        name: 'gateway → location, 500 learned places (warm)',
        port: gateway,
        requests: located(building),
      },
    ])
    await compareHttp(title, compared, MANY_CONNECTIONS)
    await nginx.stop()
  }
  if (wanted('projects'))
    await compareHttp('Project list, one project', [
      {
        name: 'bare Fastify → NATS → echo',
        port: baseline.port,
        requests: [httpRequest('POST', '/echo', { 'Content-Type': 'application/json' }, '{"page":1}')],
      },
      {
        name: 'gateway → management',
        port: gateway,
        requests: [httpRequest('GET', `/api/v0/organizations/${organization.slug}/projects`, authorization)],
      },
    ])
  if (wanted('passwords')) await comparePasswords(stack, located(warm))
  if (wanted('introspection')) await compareIntrospection(stack.natsUrl, organization.token.credential)
  if (wanted('revocation')) await measureRevocation(stack, organization)
} finally {
  await baseline.stop()
  await stack.stop()
}
