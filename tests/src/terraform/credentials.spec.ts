import { TOKEN_PRESETS } from '@bearing/contracts/identity/tokens/token-presets'
import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { GITHUB, WorkloadIssuer } from '../tools/workload-issuer.js'
import { withTerraform, Workspace } from './terraform.js'

withTerraform('credentials in Terraform', () => {
  const AUDIENCE = 'https://bearing.example.com'
  const NOTHING = 'No changes.'

  let own: TestOrganization
  let issuer: WorkloadIssuer

  beforeAll(async () => {
    issuer = await WorkloadIssuer.start()
    own = await newOrganization()
    await own.admin.client.call('createWorkloadTrust', {
      ...{
        organization: own.slug,
        name: 'CI',
        platform: 'github',
        issuer: issuer.issuer,
        audience: AUDIENCE,
      },
      ...{ claims: { repository_id: GITHUB.repository_id } },
      permissions: [...TOKEN_PRESETS.administration.permissions],
    })
  })
  afterAll(() => issuer[Symbol.asyncDispose]())

  const PROJECT = 'resource "bearing_project" "ci" {\n name = "CI"\n deletion_protection = false\n}\n'

  it('a workload applies with the token of its platform alone: nothing is stored, and the audit log names it', async () => {
    const token = await issuer.sign({ aud: AUDIENCE, ...GITHUB })
    await using workspace = await Workspace.create(own, { BEARING_WORKLOAD_TOKEN: token })
    await workspace.apply(PROJECT)
    expect(await workspace.plan()).toContain(NOTHING)
    expect(await workspace.stateFile()).not.toContain(token)
    const { data } = await own.admin.client.call('listAuditEntries', {
      ...{ organization: own.slug, action: 'project.created' },
    })
    expect(data[0]).toMatchObject({ actor_kind: 'workload' })
    await workspace.destroy()
  }, 120_000)

  it('a refused workload token is reported with its reason, and no credential with what to set', async () => {
    const token = await issuer.sign({ aud: 'https://other.example.com', ...GITHUB })
    await using refused = await Workspace.create(own, { BEARING_WORKLOAD_TOKEN: token })
    await expect(refused.apply(PROJECT)).rejects.toThrow(
      /workload token from\s+BEARING_WORKLOAD_TOKEN was not accepted/,
    )
    await using none = await Workspace.create(own, {})
    await expect(none.apply(PROJECT)).rejects.toThrow('No credential was given')
  }, 60_000)

  it('a derived token is ephemeral: another provider uses it, and the state does not have it', async () => {
    const token = await issuer.sign({ aud: AUDIENCE, ...GITHUB })
    await using workspace = await Workspace.create(own, { BEARING_WORKLOAD_TOKEN: token })
    await workspace.apply(`
ephemeral "bearing_organization_token" "reader" {
  permissions = ["project:list"]
  expires_in  = 60
}
provider "bearing" {
  alias = "reader"
  token = ephemeral.bearing_organization_token.reader.token
}
data "bearing_projects" "all" { provider = bearing.reader }
output "projects" { value = data.bearing_projects.all.projects }
`)
    expect((await workspace.state()).outputs).toMatchObject({ projects: [{ slug: own.project.slug }] })
    expect(await workspace.stateFile()).not.toContain('bearing_organization_token')
  }, 60_000)
})
