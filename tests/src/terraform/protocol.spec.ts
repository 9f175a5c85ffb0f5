import 'reflect-metadata'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { testStack } from '@bearing/testing/stack'
import { Client, credentials } from '@grpc/grpc-js'
import { loadSync, type MethodDefinition } from '@grpc/proto-loader'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { decode, encode } from '@msgpack/msgpack'
import * as x509 from '@peculiar/x509'
import { ROOT } from '../tools/root.js'
import { PROVIDER } from './terraform.js'

const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2'
const PROTOCOL = loadSync(join(ROOT, 'apps', 'terraform-provider', 'tfplugin6.proto'), { enums: String })

type Reply = Readonly<Record<string, unknown>>
type State = Readonly<Record<string, unknown>> | null

const dynamic = (value: unknown) => ({ msgpack: encode(value) })
const stateIn = (reply: Reply, name: string) =>
  decode((reply[name] as { msgpack: Uint8Array }).msgpack) as State

/** A key and a certificate, in PEM. */
async function newPair() {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=localhost', keys, signingAlgorithm: algorithm },
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  })
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  return { key, certificate: certificate.toString('pem') }
}

describe('the provider over its protocol', () => {
  let own: TestOrganization
  let child: ChildProcess
  let open: (pair: { key: string; certificate: string }) => Client
  let client: Client

  beforeAll(async () => {
    own = await newOrganization()
    const pair = await newPair()
    child = spawn(process.execPath, [PROVIDER], {
      env: {
        ...{ TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_CLIENT_CERT: pair.certificate },
        ...{ BEARING_URL: testStack().gatewayUrls[0], BEARING_ORG: own.slug },
        ...{ BEARING_EMAIL: own.admin.email, BEARING_PASSWORD: own.admin.apiKey },
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (!child.stdout) throw new Error('the provider has no standard output')
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const [core, protocol, network, path, kind, certificate = ''] = line.split('|')
    expect([core, protocol, network, kind]).toEqual(['1', '6', 'unix', 'grpc'])
    const server = Buffer.from(x509.PemConverter.encode(Buffer.from(certificate, 'base64'), 'CERTIFICATE'))
    open = ({ key, certificate: own }) =>
      new Client(`unix:${path ?? ''}`, credentials.createSsl(server, Buffer.from(key), Buffer.from(own)), {
        'grpc.ssl_target_name_override': 'localhost',
      })
    client = open(pair)
  }, 60_000)
  afterAll(() => {
    client.close()
    child.kill()
  })

  const call = (name: string, request: object, of = client): Promise<Reply> => {
    const service = PROTOCOL['tfplugin6.Provider'] as Readonly<
      Record<string, MethodDefinition<object, object>>
    >
    const method = service[name]
    if (!method) throw new Error(`there is no ${name}`)
    const { path, requestSerialize, responseDeserialize } = method
    return new Promise((resolve, reject) => {
      of.makeUnaryRequest(path, requestSerialize, responseDeserialize, request, (error, reply) => {
        if (error) reject(error)
        else resolve((reply ?? {}) as Reply)
      })
    })
  }
  const typeName = 'bearing_project'
  const config = { name: 'Gate', slug: 'gate', deletion_protection: false, id: null, created_at: null }
  const change = async (prior: State, wanted: State) => {
    const request = { typeName, priorState: dynamic(prior), config: dynamic(wanted) }
    const plan = await call('PlanResourceChange', { ...request, proposedNewState: dynamic(wanted) })
    const applied = await call('ApplyResourceChange', { ...request, plannedState: plan['plannedState'] })
    return { plan, applied, state: stateIn(applied, 'newState') }
  }

  it('describes every resource, data source and ephemeral resource', async () => {
    const schema = await call('GetProviderSchema', {})
    expect(Object.keys(schema['resourceSchemas'] as object)).toContain('bearing_workload_trust')
    expect(Object.keys(schema['dataSourceSchemas'] as object)).toContain('bearing_devices')
    expect(Object.keys(schema['ephemeralResourceSchemas'] as object)).toEqual(['bearing_organization_token'])
  })

  it('creates, reads, renames and deletes a project', async () => {
    const { state: created } = await change(null, config)
    expect(created).toMatchObject({ ...config, id: expect.any(String), created_at: expect.any(String) })
    const read = await call('ReadResource', { typeName, currentState: dynamic(created) })
    expect(stateIn(read, 'newState')).toEqual(created)
    const { plan, state: renamed } = await change(created, { ...config, name: 'North gate' })
    expect(plan['requiresReplace'] ?? []).toEqual([])
    expect(renamed).toEqual({ ...created, name: 'North gate' })
    const imported = await call('ImportResourceState', { typeName, id: 'gate' })
    const [first] = imported['importedResources'] as Reply[]
    expect(stateIn(first ?? {}, 'state')).toEqual({ ...renamed, deletion_protection: true })
    expect((await change(renamed, null)).state).toBeNull()
    const gone = await call('ReadResource', { typeName, currentState: dynamic(renamed) })
    expect(stateIn(gone, 'newState')).toBeNull()
  })

  it('reports a mistake at its attribute, and refuses other clients', async () => {
    const wrong = { typeName, config: dynamic({ ...config, slug: 'Not A Slug' }) }
    expect(await call('ValidateResourceConfig', wrong)).toMatchObject({
      diagnostics: [{ severity: 'ERROR', attribute: { steps: [{ attributeName: 'slug' }] } }],
    })
    const another = open(await newPair())
    await expect(call('GetProviderSchema', {}, another)).rejects.toThrow('UNAVAILABLE')
    another.close()
  })
})
