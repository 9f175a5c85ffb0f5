import { randomUUID } from 'node:crypto'
import { createProjectKey, cycleProjectKey } from '@bearing/contracts/identity/credentials/project-key'
import {
  changeProjectSettings,
  showProjectSettings,
} from '@bearing/contracts/identity/credentials/project-settings'
import { forSuite } from '@bearing/testing/for-suite'
import { describe, expect, it } from '@jest/globals'
import { TestIdentity } from '../../testing/test-identity.js'

/** Permissions of every key, and of a key whose project grants one more; in alphabetical order. */
const sending = ['device-data:send', 'file:upload']
const locating = [...sending, 'location:resolve']

describe('project settings', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())

  const newProject = async () => {
    const project = { organization_id: admin.organizationId, project_id: randomUUID() }
    const { api_key: key } = await identity.call(createProjectKey, project, admin.claims)
    return { project, key }
  }
  const change = (
    project: { organization_id: string; project_id: string },
    may: boolean,
    project_key_may_contribute?: boolean,
  ) =>
    identity.call(
      changeProjectSettings,
      { ...project, project_key_may_locate: may, project_key_may_contribute },
      admin.claims,
    )
  const permissionsOf = async (key: string) => {
    const outcome = await identity.introspect({ kind: 'project_key', key })
    return outcome.active && outcome.principal.kind === 'project_key' && outcome.principal.permissions
  }

  it('a project key may ask for locations where its project says so, and not unless it does', async () => {
    const { project, key } = await newProject()
    expect(await identity.call(showProjectSettings, project, admin.claims)).toMatchObject({
      project_key_may_locate: false,
      project_key_may_contribute: false,
    })
    expect(await permissionsOf(key)).toEqual(sending)
    const located = { project_key_may_locate: true, project_key_may_contribute: false }
    expect(await change(project, true)).toMatchObject(located)
    expect(await permissionsOf(key)).toEqual(locating)
    await change(project, false)
    expect(await permissionsOf(key)).toEqual(sending)
  })

  it('a project key may contribute only where its project says that too, and clients that do not say leave it', async () => {
    const { project, key } = await newProject()
    await change(project, true)
    expect(await permissionsOf(key)).not.toContain('observation:contribute')
    await change(project, false, true)
    expect(await permissionsOf(key)).toEqual([...sending, 'observation:contribute'])
    expect(await change(project, true)).toMatchObject({
      project_key_may_locate: true,
      project_key_may_contribute: true,
    })
    await change(project, true, false)
    expect(await permissionsOf(key)).toEqual(locating)
  })

  it('outlast a cycle, and hold for keys in grace too', async () => {
    const { project, key } = await newProject()
    await change(project, true)
    const { api_key } = await identity.call(cycleProjectKey, { ...project, grace_seconds: 60 }, admin.claims)
    for (const one of [key, api_key]) expect(await permissionsOf(one)).toEqual(locating)
  })

  it('setting what is set changes nothing, and is not written down', async () => {
    const { project } = await newProject()
    for (const may of [false, true, true]) await change(project, may)
    const target = `project:${project.project_id}`
    expect(await identity.database.auditEntry.findMany({ where: { target } })).toMatchObject([
      {
        action: 'project_settings.changed',
        actorUserId: admin.id,
        organizationId: admin.organizationId,
      },
    ])
  })

  it("another organization's project is not found", async () => {
    const { project, key } = await newProject()
    const other = await identity.newAdmin()
    const taken = { ...project, organization_id: other.organizationId }
    for (const attempt of [
      identity.call(showProjectSettings, taken, other.claims),
      identity.call(changeProjectSettings, { ...taken, project_key_may_locate: true }, other.claims),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'project_not_found' })
    expect(await permissionsOf(key)).toEqual(sending)
  })
})
