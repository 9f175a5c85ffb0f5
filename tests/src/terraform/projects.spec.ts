import { newOrganization, type TestOrganization } from '@bearing/testing/factories'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { withTerraform, Workspace } from './terraform.js'

withTerraform('a project in Terraform', () => {
  let own: TestOrganization
  let workspace: Workspace

  beforeEach(async () => {
    own = await newOrganization()
    workspace = await Workspace.create(own)
  })
  afterEach(() => workspace[Symbol.asyncDispose]())

  const project = (name: string, more = '') =>
    `resource "bearing_project" "gate" {\n name = "${name}"\n slug = "gate"\n deletion_protection = false\n ${more}\n}\n`
  const listed = async () => {
    const projects = await own.admin.client.listAll('listProjects', { organization: own.slug })
    return projects.filter(({ slug }) => slug !== own.project.slug)
  }

  const NOTHING = 'No changes.'

  it('a project is created, is as planned, is renamed in place, and destroyed', async () => {
    await workspace.apply(project('Gate'))
    const [created] = await listed()
    expect(created).toMatchObject({ name: 'Gate', slug: 'gate' })
    expect(await workspace.plan()).toContain(NOTHING)

    const renamed = project('North gate').replace('slug = "gate"', 'slug = "north"')
    expect(await workspace.apply(renamed)).toContain('0 added, 1 changed, 0 destroyed')
    expect(await listed()).toEqual([{ ...created, name: 'North gate', slug: 'north' }])
    expect(await workspace.plan()).toContain(NOTHING)

    await workspace.destroy()
    expect(await listed()).toEqual([])
  }, 120_000)

  it('a project that was renamed or deleted by others is found again, or planned again', async () => {
    await workspace.apply(project('Gate'))
    const scope = { organization: own.slug, project: 'gate' }
    await own.admin.client.call('renameProject', { ...scope, name: 'Other', slug: 'other' })
    expect(await workspace.plan()).toContain('1 to change')
    await workspace.apply(project('Gate'))
    expect(await listed()).toMatchObject([{ name: 'Gate', slug: 'gate' }])
    await own.admin.client.call('deleteProject', { organization: own.slug, project_slug: 'gate' })
    expect(await workspace.plan()).toContain('1 to add')
  }, 120_000)

  it('a project is imported by its slug and by its id', async () => {
    const { id, slug, name } = own.project
    const existing = `resource "bearing_project" "it" {\n name = "${name}"\n slug = "${slug}"\n}\n`
    await workspace.write(existing)
    for (const by of [slug, id]) {
      const { code, output } = await workspace.run('import', '-no-color', 'bearing_project.it', by)
      expect([code, output]).toEqual([0, expect.stringContaining('Import successful')])
      expect(await workspace.plan()).toContain(NOTHING)
      await workspace.run('state', 'rm', 'bearing_project.it')
    }
  }, 120_000)

  it('a project is protected from deletion until its configuration says otherwise', async () => {
    const unprotected = project('Gate')
    await workspace.apply(unprotected.replace('deletion_protection = false', ''))
    await expect(workspace.destroy()).rejects.toThrow('protected from deletion')
    expect(await listed()).toHaveLength(1)
    await workspace.apply(unprotected)
    await workspace.destroy()
    expect(await listed()).toEqual([])
  }, 120_000)

  it('a mistake is reported when the plan is made, at its attribute', async () => {
    await expect(
      workspace.apply(project('Gate').replace('"gate"\n del', '"Not A Slug"\n del')),
    ).rejects.toThrow(/Invalid value of slug[^]*must be 1 to 64 lower-case letters/)
  }, 60_000)

  it('data sources read the organization, its projects, devices and permissions', async () => {
    await own.admin.client.call('registerDevice', {
      ...{ organization: own.slug, project: own.project.slug, device_serial: 'DEVICE-1' },
    })
    await workspace.apply(`
data "bearing_organization" "it" {}
data "bearing_projects" "all" {}
data "bearing_devices" "all" { project_id = data.bearing_projects.all.projects[0].id }
data "bearing_permissions" "all" {}
output "organization" { value = data.bearing_organization.it }
output "projects" { value = data.bearing_projects.all.projects }
output "devices" { value = data.bearing_devices.all.devices }
output "reader" { value = data.bearing_permissions.all.presets["reader"] }`)
    const { outputs } = await workspace.state()
    expect(outputs).toMatchObject({
      organization: { id: own.id, slug: own.slug },
      projects: [{ id: own.project.id, slug: own.project.slug }],
      devices: [{ device_serial: 'DEVICE-1', first_seen_at: null, chunk_count: 0 }],
      reader: expect.arrayContaining(['device:read']),
    })
  }, 60_000)
})
