import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { credentialChanged } from '@bearing/contracts/identity/credentials/credential'
import { createOrganizationToken } from '@bearing/contracts/identity/tokens/organization-token'
import {
  cancelKeyImport,
  createProjectKey,
  cycleProjectKey,
  importProjectKey,
  listKeyImports,
  requestKeyImport,
  showProjectKey,
} from '@bearing/contracts/identity/credentials/project-key'
import { grantMembership } from '@bearing/contracts/identity/people/user'
import { onEvent } from '@bearing/nats/events'
import { inTime } from '@bearing/testing/in-time'
import { forSuite } from '@bearing/testing/for-suite'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { whileHeld } from '../../testing/held-row.js'
import { TestIdentity } from '../../testing/test-identity.js'

describe('project keys', () => {
  const identity = forSuite(() => TestIdentity.connect())
  const admin = forSuite(() => identity.newAdmin())
  const changed: string[] = []

  beforeAll(() => {
    onEvent(
      identity.connection,
      credentialChanged,
      ({ tags }) => changed.push(...tags),
      () => undefined,
    )
  })

  const newProject = async () => {
    const project = { organization_id: admin.organizationId, project_id: randomUUID() }
    const { api_key: key } = await identity.call(createProjectKey, project, admin.claims)
    return { project, key }
  }
  const introspect = (key: string) => identity.introspect({ kind: 'project_key', key })
  const works = async (key: string) => (await introspect(key)).active

  it('a project has one key, however often it is given one', async () => {
    const { project, key } = await newProject()
    const again = await Promise.all(
      Array.from({ length: 4 }, () => identity.call(createProjectKey, project, admin.claims)),
    )
    expect(new Set(again.map(({ api_key }) => api_key))).toEqual(new Set([key]))
    expect(await identity.call(showProjectKey, project, admin.claims)).toMatchObject({ api_key: key })
  })

  it('a project of another organization cannot be taken, shown or cycled', async () => {
    const { project, key } = await newProject()
    const other = await identity.newAdmin()
    const taken = { ...project, organization_id: other.organizationId }
    for (const operation of [createProjectKey, showProjectKey, cycleProjectKey])
      await expect(identity.call(operation, taken, other.claims)).rejects.toMatchObject({
        code: 'project_not_found',
      })
    expect(await works(key)).toBe(true)
  })

  it('a cycled key is refused immediately, and gateways are notified', async () => {
    const { project, key } = await newProject()
    const before = await introspect(key)
    const after = await identity.call(cycleProjectKey, { ...project, grace_seconds: 0 }, admin.claims)
    expect(before).toMatchObject({ active: true })
    expect(changed).toContain(`project:${project.project_id}`)
    expect(await introspect(key)).toEqual({ active: false, reason: 'unknown' })
    expect(await works(after.api_key)).toBe(true)
  })

  const newKey = () => randomBytes(16).toString('hex')
  const importKey = (project: { organization_id: string; project_id: string }, api_key: string) =>
    identity.callAsOperator(importProjectKey, { ...project, api_key })

  it('a project takes the key that its devices have, and the one before works within its grace period', async () => {
    const { project, key } = await newProject()
    const ofDevices = newKey()
    expect(await works(ofDevices)).toBe(false)
    expect(await importKey(project, ofDevices)).toMatchObject({
      api_key: ofDevices,
      in_grace: [{ api_key: key }],
    })
    expect(await introspect(ofDevices)).toMatchObject({
      active: true,
      principal: { project_id: project.project_id },
    })
    expect(await works(key)).toBe(true)
    expect(changed).toContain(`project:${project.project_id}`)
  })

  it('a key of another project, current or replaced, is not imported; nothing says whose it is', async () => {
    const [one, other] = await Promise.all([newProject(), newProject()])
    await identity.call(cycleProjectKey, { ...one.project, grace_seconds: 3_600 }, admin.claims)
    const { api_key: current } = await identity.call(showProjectKey, one.project, admin.claims)
    for (const taken of [one.key, current]) {
      const refused = importKey(other.project, taken)
      await expect(refused).rejects.toMatchObject({ code: 'project_key_taken' })
      await expect(refused).rejects.not.toThrow(new RegExp(one.project.project_id))
    }
    expect(await works(other.key)).toBe(true)
  })

  it('of two projects that import the same key at the same moment, one has it', async () => {
    const projects = await Promise.all([newProject(), newProject(), newProject()])
    const key = newKey()
    const outcomes = await Promise.allSettled(projects.map(({ project }) => importKey(project, key)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'project_key_taken' })
    expect(await works(key)).toBe(true)
  })

  it('only an operator imports a key', async () => {
    const { project } = await newProject()
    await expect(
      identity.call(importProjectKey, { ...project, api_key: newKey() }, admin.claims),
    ).rejects.toMatchObject({ code: 'permission_denied' })
  })

  const request = (
    project: { organization_id: string; project_id: string },
    api_key: string,
    network: string | null = null,
    claims = admin.claims,
  ) => identity.call(requestKeyImport, { ...project, api_key, network }, claims)
  const from = (key: string, clientAddress: string) =>
    identity.introspect({ kind: 'project_key', key }, { fresh: true, clientAddress })

  it('a key that an admin has asked for works after an operator has imported it, and not before', async () => {
    const { project, key } = await newProject()
    const ofDevices = newKey()
    await request(project, ofDevices)
    expect(await works(ofDevices)).toBe(false)
    expect(await identity.call(showProjectKey, project, admin.claims)).toMatchObject({
      requested: { api_key: ofDevices, network: null },
    })
    const { imports } = await identity.callAsOperator(listKeyImports, {})
    expect(imports).toContainEqual(expect.objectContaining({ ...project, api_key: ofDevices }))
    expect(await importKey(project, ofDevices)).toMatchObject({
      api_key: ofDevices,
      requested: null,
      in_grace: [{ api_key: key }],
    })
    expect(await works(ofDevices)).toBe(true)
  })

  it('a key is imported by its first use from the network that the admin has named, once', async () => {
    const { project, key } = await newProject()
    const ofDevices = newKey()
    await request(project, ofDevices, '203.0.113.0/24')
    expect(await from(ofDevices, '198.51.100.7')).toEqual({ active: false, reason: 'unknown' })
    const answers = await Promise.all(Array.from({ length: 5 }, () => from(ofDevices, '203.0.113.9')))
    for (const answer of answers) expect(answer).toMatchObject({ active: true })
    const shown = await identity.call(showProjectKey, project, admin.claims)
    expect(shown).toMatchObject({ api_key: ofDevices, requested: null, in_grace: [{ api_key: key }] })
    const imported = { organizationId: project.organization_id, action: 'project_key.imported' }
    const details = { path: ['project_id'], equals: project.project_id }
    expect(
      await identity.database.auditEntry.findMany({
        where: { ...imported, details },
        select: { address: true },
      }),
    ).toEqual([{ address: '203.0.113.9' }])
    const after = await identity.call(cycleProjectKey, { ...project, grace_seconds: 0 }, admin.claims)
    expect([await works(ofDevices), await works(after.api_key)]).toEqual([false, true])
  })

  it('a key works for a request that has not found it while another one imports it', async () => {
    const { project } = await newProject()
    const ofDevices = newKey()
    await request(project, ofDevices, '203.0.113.0/24')
    // The faster request does this; the slower one looks for the import after it.
    const imported = `
      LOCK TABLE project_key_imports IN ACCESS EXCLUSIVE MODE;
      UPDATE project_keys SET key = '${ofDevices}' WHERE project_id = '${project.project_id}';
      DELETE FROM project_key_imports WHERE key = '${ofDevices}'`
    const [slower] = await whileHeld(imported, [], [() => from(ofDevices, '203.0.113.9')])
    expect(slower).toMatchObject({ status: 'fulfilled', value: { active: true } })
  })

  it('a key that another project has or has asked for cannot be asked for; nothing says whose it is', async () => {
    const [one, other] = await Promise.all([newProject(), newProject()])
    const wanted = newKey()
    await request(one.project, wanted)
    const another = await identity.newAdmin()
    const project = { organization_id: another.organizationId, project_id: randomUUID() }
    await identity.call(createProjectKey, project, another.claims)
    for (const taken of [wanted, other.key]) {
      const refused = request(project, taken, null, another.claims)
      await expect(refused).rejects.toMatchObject({ code: 'project_key_taken' })
      await expect(refused).rejects.not.toThrow(new RegExp(admin.organizationId))
    }
    await identity.call(cancelKeyImport, one.project, admin.claims)
    expect(await request(project, wanted, '2001:db8::/32', another.claims)).toMatchObject({
      network: '2001:db8::/32',
    })
  })

  it.each(['0.0.0.0/0', '10.0.0.0/15', '::/0', 'network'])(
    'a key cannot be asked for with the network %s',
    async (network) => {
      const { project } = await newProject()
      await expect(request(project, newKey(), network)).rejects.toMatchObject({ code: 'invalid_input' })
    },
  )

  /** Cycles a key several times concurrently: all have seen it and wait to replace it before the first one may. */
  const cycleConcurrently = async (
    project: { organization_id: string; project_id: string },
    ...graces: number[]
  ) => {
    const outcomes = await whileHeld(
      'SELECT FROM project_keys WHERE project_id = $1 FOR UPDATE',
      [project.project_id],
      graces.map(
        (grace_seconds) => () => identity.call(cycleProjectKey, { ...project, grace_seconds }, admin.claims),
      ),
    )
    return outcomes.map((outcome) => outcome.status === 'fulfilled' && outcome.value)
  }

  it('two concurrent cycles leave exactly one key that works, and give it to both callers', async () => {
    const { project, key } = await newProject()
    const [first, second] = await cycleConcurrently(project, 0, 0)
    const shown = await identity.call(showProjectKey, project, admin.claims)
    expect([first, second]).toEqual([shown, shown])
    expect(await works(shown.api_key)).toBe(true)
    expect(await works(key)).toBe(false)
  })

  it('of two concurrent cycles the one without a grace decides over the key before, and has the last word in the audit log', async () => {
    for (const graces of [
      [3600, 0],
      [0, 3600],
    ]) {
      const { project, key } = await newProject()
      await cycleConcurrently(project, ...graces)
      expect(await works(key)).toBe(false)
      expect((await identity.call(showProjectKey, project, admin.claims)).in_grace).toEqual([])
      const ofProject = { details: { path: ['project_id'], equals: project.project_id } }
      const last = await identity.database.auditEntry.findFirst({
        where: {
          organizationId: project.organization_id,
          action: { startsWith: 'project_key.' },
          ...ofProject,
        },
        orderBy: { sequence: 'desc' },
      })
      expect(last).toMatchObject({ details: { grace_seconds: 0 } })
    }
  })

  it('an old key works during its grace and not after', async () => {
    const { project, key, after, worked, endsMs } = await inTime(async (grace_seconds) => {
      const { project, key } = await newProject()
      const after = await identity.call(cycleProjectKey, { ...project, grace_seconds }, admin.claims)
      const endsMs = Date.parse(after.in_grace[0]?.expires_at ?? '')
      expect(endsMs - Date.parse(after.created_at)).toBe(grace_seconds * 1_000)
      return { project, key, after, worked: await works(key), endsMs }
    })
    expect(after.in_grace).toMatchObject([{ api_key: key }])
    expect(worked).toBe(true)
    await sleep(endsMs - Date.now() + 5)
    expect(await introspect(key)).toEqual({ active: false, reason: 'expired' })
    expect((await identity.call(showProjectKey, project, admin.claims)).in_grace).toEqual([])
    expect(await works(after.api_key)).toBe(true)
  })

  it('several old keys work at the same time, each until its own end, and a cycle without a grace period ends all of them', async () => {
    const { project, key: first } = await newProject()
    const cycle = (grace_seconds: number) =>
      identity.call(cycleProjectKey, { ...project, grace_seconds }, admin.claims)
    const { api_key: second } = await cycle(3600)
    const { api_key: third, in_grace } = await cycle(60)
    expect(in_grace.map(({ api_key }) => api_key)).toEqual([first, second])
    expect(await Promise.all([first, second, third].map(works))).toEqual([true, true, true])
    const { api_key: last, in_grace: none } = await cycle(0)
    expect(none).toEqual([])
    expect(await Promise.all([first, second, third, last].map(works))).toEqual([false, false, false, true])
  })

  it('a grace is at most seven days', async () => {
    const { project } = await newProject()
    for (const grace_seconds of [-1, 7 * 86_400 + 1, 0.5])
      await expect(
        identity.call(cycleProjectKey, { ...project, grace_seconds }, admin.claims),
      ).rejects.toMatchObject({ code: 'invalid_input', details: { errors: [{ pointer: '/grace_seconds' }] } })
  })

  it('many concurrent cycles leave exactly one key that works', async () => {
    const { project, key } = await newProject()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        identity.call(cycleProjectKey, { ...project, grace_seconds: 0 }, admin.claims),
      ),
    )
    const shown = await identity.call(showProjectKey, project, admin.claims)
    const keys = [...new Set([key, ...answers.map(({ api_key }) => api_key)])]
    const working = await Promise.all(keys.map(works))
    expect(keys.filter((_, index) => working[index])).toEqual([shown.api_key])
  })

  it('a manager and an organization token may cycle one; a reader may only see it', async () => {
    const { project, key } = await newProject()
    const claimsOf = async (role: 'manager' | 'reader') => {
      const user = await identity.newUser()
      await identity.callAsOperator(grantMembership, {
        organization_id: admin.organizationId,
        user_id: user.id,
        role: 'member',
        projects: [{ project_id: project.project_id, role }],
      })
      return identity.claimsOf({ kind: 'user', email: user.email, secret: user.password })
    }
    const reader = await claimsOf('reader')
    expect(await identity.call(showProjectKey, project, reader)).toMatchObject({ api_key: key })
    await expect(identity.call(cycleProjectKey, project, reader)).rejects.toMatchObject({
      code: 'permission_denied',
    })
    const { token } = await identity.call(
      createOrganizationToken,
      { organization_id: admin.organizationId, description: 'CI' },
      admin.claims,
    )
    const byToken = await identity.claimsOf({ kind: 'organization_token', token })
    const byManager = await claimsOf('manager')
    for (const claims of [byManager, byToken])
      expect(await works((await identity.call(cycleProjectKey, project, claims)).api_key)).toBe(true)
  })
})
