import { generateKeyPairSync } from 'node:crypto'
import {
  clientFor,
  newMember,
  newOrganization,
  type TestOrganization,
  type TestUser,
} from '@bearing/testing/factories'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { RealProvider } from '../tools/real-provider.js'
import { withTerraform, Workspace } from './terraform.js'

withTerraform('resources in Terraform', () => {
  let own: TestOrganization
  let member: TestUser
  let provider: RealProvider
  let workspace: Workspace

  beforeEach(async () => {
    own = await newOrganization()
    member = await newMember(own, 'member')
    provider = await RealProvider.start()
    workspace = await Workspace.create(own)
  }, 60_000)
  afterEach(async () => {
    await workspace[Symbol.asyncDispose]()
    await provider[Symbol.asyncDispose]()
  })

  const NOTHING = 'No changes.'
  const KEY = 'k3y-of-the-provider'

  /** Every resource. @param changed whether with the values of the second apply */
  const everything = (changed: boolean) => {
    const pick = (first: string, second: string) => (changed ? second : first)
    return `
resource "bearing_organization" "it" {
  name                = "${pick('Acme', 'Acme Inc.')}"
  deletion_protection = true
}
resource "bearing_project" "gate" {
  name                = "Gate"
  slug                = "${pick('gate', 'north')}"
  deletion_protection = false
}
resource "bearing_project_settings" "gate" {
  project_id             = bearing_project.gate.id
  project_key_may_locate = ${pick('true', 'false')}
}
resource "bearing_webhook" "gate" {
  project_id  = bearing_project.gate.id
  url         = "https://hooks.example.com/bearing"
  description = ${pick('"CRM"', 'null')}
  events      = ["coredump.uploaded"${pick('', ', "device.first_seen"')}]
  paused      = ${pick('false', 'true')}
}
resource "bearing_data_policy" "gate" {
  project_id          = bearing_project.gate.id
  retention_days      = ${pick('30', 'null')}
  file_retention_days = { coredump = ${pick('7', '14')} }
  sampling            = { debugging = "${pick('high', 'low')}", logging = "normal", monitoring = "off" }
}
resource "bearing_position_policy" "gate" {
  project_id      = bearing_project.gate.id
  store_positions = ${pick('true', 'false')}
}
resource "bearing_device_attribute" "floor" {
  project_id = bearing_project.gate.id
  attribute  = "floor"
  type       = "number"
}
resource "bearing_device_attribute" "customer" {
  project_id = bearing_project.gate.id
  attribute  = "customer"
  type       = "string"
}
resource "bearing_device" "one" {
  project_id    = bearing_project.gate.id
  device_serial = "DEVICE-1"
  nickname      = "${pick('Gate', 'North gate')}"
  attributes    = { (bearing_device_attribute.floor.attribute) = "${pick('3', '4')}"${pick(', (bearing_device_attribute.customer.attribute) = "acme"', '')} }
}
resource "bearing_member" "ann" {
  user_id = "${member.id}"
  role    = "member"
}
resource "bearing_project_member" "ann" {
  project_id = bearing_project.gate.id
  user_id    = bearing_member.ann.user_id
  role       = "${pick('reader', 'manager')}"
}
resource "bearing_workload_trust" "ci" {
  name             = "CI"
  platform         = "github"
  audience         = "https://bearing.example.com"
  claims           = { repository_id = "123456" }
  permissions      = ["project:read"${pick('', ', "project:list"')}]
  project_ids      = [bearing_project.gate.id]
  jwks             = jsonencode({ keys = [{ kty = "OKP", crv = "Ed25519", x = "abc" }] })
  lifetime_seconds = ${pick('600', '300')}
}
resource "bearing_location_settings" "it" {
  observation_retention_days = ${pick('30', '60')}
}
resource "bearing_location_fallback" "it" {
  url                 = "https://locate.example.com/v1"
  key                 = "${KEY}"
  key_version         = ${pick('1', '2')}
  accuracy_confidence = ${pick('68', '95.5')}
}
resource "bearing_sign_in_policy" "it" {
  device_logins = "${pick('same-network', 'off')}"
}
resource "bearing_sso_connection" "idp" {
  name          = "${pick('Provider', 'Company')}"
  issuer        = "${provider.issuer}"
  client_id     = "${provider.clientId}"
  client_secret = "${provider.clientSecret}"
  enabled       = ${pick('true', 'false')}
}
resource "bearing_domain" "mail" {
  domain = "${provider.domain}"
}
`
  }

  it('every resource is created, changed in place and destroyed, and a second plan is empty', async () => {
    expect(await workspace.apply(everything(false))).toContain('17 added, 0 changed, 0 destroyed')
    expect(await workspace.plan()).toContain(NOTHING)
    const { id } = (await workspace.valuesOf('bearing_project.gate')) ?? {}
    expect(await workspace.apply(everything(true))).toContain('0 added, 13 changed, 0 destroyed')
    expect(await workspace.plan()).toContain(NOTHING)
    expect(await workspace.valuesOf('bearing_webhook.gate')).toMatchObject({ project_id: id, paused: true })

    const device = await own.admin.client.call('showDevice', {
      ...{ organization: own.slug, project: 'north', device_serial: 'DEVICE-1' },
    })
    expect(device).toMatchObject({ nickname: 'North gate', attributes: { floor: 4 } })
    expect(device.attributes).not.toHaveProperty('customer')
    const fallback = await own.admin.client.call('showLocationFallback', { organization: own.slug })
    expect(fallback).toMatchObject({ has_key: true, accuracy_confidence: 95.5 })

    const state = await workspace.stateFile()
    for (const secret of [KEY, provider.clientSecret, own.admin.apiKey]) expect(state).not.toContain(secret)
    expect(state).not.toContain('whsec_')

    await workspace.apply(
      everything(true).replace('deletion_protection = true', 'deletion_protection = true # '),
    )
    await workspace.run('state', 'rm', 'bearing_organization.it')
    await workspace.destroy()
    const listed = await own.admin.client.listAll('listProjects', { organization: own.slug })
    expect(listed.map(({ slug }) => slug)).toEqual([own.project.slug])
  }, 240_000)

  it('resources of a project are imported by its slug and their id', async () => {
    const scope = { organization: own.slug, project: own.project.slug }
    const { id } = await own.admin.client.call('createWebhook', {
      ...scope,
      url: 'https://hooks.example.com/x',
    })
    await own.admin.client.call('registerDevice', { ...scope, device_serial: 'DEVICE-9' })
    await workspace.write(`
resource "bearing_webhook" "it" {
  project_id = "${own.project.id}"
  url        = "https://hooks.example.com/x"
}
resource "bearing_device" "it" {
  project_id    = "${own.project.id}"
  device_serial = "DEVICE-9"
}
resource "bearing_data_policy" "it" { project_id = "${own.project.id}" }
resource "bearing_member" "it" {
  user_id = "${member.id}"
  role    = "member"
}
import {
  to = bearing_webhook.it
  id = "${own.project.slug}/${id}"
}
import {
  to = bearing_device.it
  id = "${own.project.slug}/DEVICE-9"
}
import {
  to = bearing_data_policy.it
  id = "${own.project.slug}"
}
import {
  to = bearing_member.it
  id = "${member.id}"
}`)
    const { output } = await workspace.run('apply', '-auto-approve', '-no-color', '-input=false')
    expect(output).toContain('4 imported, 0 added, 0 changed, 0 destroyed')
  }, 60_000)

  it('a change that the API cannot make in place plans another resource', async () => {
    const project = `project_id = "${own.project.id}"`
    const attribute = (type: string) =>
      `resource "bearing_device_attribute" "it" {\n ${project}\n attribute = "floor"\n type = "${type}"\n}\n`
    await workspace.apply(attribute('number'))
    expect(await workspace.apply(attribute('string'))).toContain('1 added, 0 changed, 1 destroyed')
  }, 60_000)

  it('a token and the secret of a webhook are in the state for the holder of a private key alone', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    })
    const { publicKey: ofCurve } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const ci = (key: string) => `resource "bearing_organization_token" "ci" {
  description = "CI"
  permissions = ["project:list"]
  public_key  = ${JSON.stringify(key)}
}
`
    await expect(workspace.apply(ci(ofCurve))).rejects.toThrow('must be an RSA public key in PEM')
    await workspace.apply(`${ci(publicKey)}
resource "bearing_webhook" "crm" {
  project_id = "${own.project.id}"
  url        = "https://hooks.example.com/x"
  public_key = ${JSON.stringify(publicKey)}
}
`)
    expect(await workspace.plan()).toContain(NOTHING)
    const state = await workspace.stateFile()
    expect(state).not.toContain('brgo_')
    expect(state).not.toContain('whsec_')
    const { encrypted_token: token, id } = (await workspace.valuesOf('bearing_organization_token.ci')) ?? {}
    const { encrypted_secret: secret } = (await workspace.valuesOf('bearing_webhook.crm')) ?? {}
    const console = (encrypted: unknown) =>
      workspace.evaluate(`rsadecrypt("${String(encrypted)}", ${JSON.stringify(privateKey)})`)
    expect(await console(secret)).toContain('whsec_')
    const client = clientFor({
      kind: 'organization_token',
      token: JSON.parse(await console(token)) as string,
    })
    expect(await client.call('whoAmI', {})).toMatchObject({ credential_id: id })
    await workspace.destroy()
    await expect(client.call('whoAmI', {})).rejects.toMatchObject({ status: 401 })
  }, 120_000)
})
