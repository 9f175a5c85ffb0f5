import { OperationError } from '@bearing/contracts/errors'
import type { Deletion } from '@bearing/contracts/management/tenancy/deletion'
import { describe, expect, it } from '@jest/globals'
import { CREATED_AT, id, type Answers } from '../testing/fake-gateway.js'
import { AS_USER, runAgainst } from '../testing/run-against.js'

const LATER = '2026-02-07T09:00:00.000Z'

function deletionOf(projectId: string | null, more: Partial<Deletion> = {}): Deletion {
  return {
    ...{ id: id(1), organization_id: id(2), project_id: projectId, state: 'deleted', parts: [] },
    ...{ slug: projectId === null ? 'acme' : 'gate', name: 'Acme', deleted_at: CREATED_AT },
    ...{ credentials_stopped_at: CREATED_AT, erase_after: LATER, erasing_since: null, erased_at: null },
    ...more,
  }
}

/** An erasure that ends with the third question. */
function erasing(projectId: string | null) {
  let asked = 0
  const part = { part: 'location' as const, started_at: CREATED_AT, finished_at: null }
  return () => {
    if (++asked === 3) throw new OperationError('deletion_not_found', 'It was erased.')
    const parts = [
      { ...part, erased: asked * 4_000, remaining: 1_234, error: 'The location service is away.' },
    ]
    return deletionOf(projectId, { state: 'erasing', erasing_since: CREATED_AT, parts })
  }
}

const paging = { page: 1, per_page: 1_000, page_count: 1, item_count: 1, total_count: 1 }

describe.each([
  {
    noun: 'organizations',
    slug: 'acme',
    base: '/api/v0/organizations/acme',
    list: '/api/v0/deleted_organizations',
    // A new one for each run, because an erasure counts its questions.
    answers: (): Answers => ({
      deleteOrganization: () => deletionOf(null),
      restoreOrganization: () => ({ organization_id: id(2), slug: 'acme', restored_at: CREATED_AT }),
      eraseOrganization: ({ slug }) => {
        if (slug !== 'acme') throw new OperationError('invalid_input', 'must be the slug of what is erased')
        return deletionOf(null, { state: 'erasing', erasing_since: CREATED_AT })
      },
      showOrganizationDeletion: erasing(null),
      listDeletedOrganizations: () => ({ data: [deletionOf(null)], paging }),
    }),
  },
  {
    noun: 'projects',
    slug: 'gate',
    base: '/api/v0/organizations/acme/projects/gate',
    list: '/api/v0/organizations/acme/deleted_projects',
    answers: (): Answers => ({
      deleteProject: () => deletionOf(id(3)),
      restoreProject: () => ({
        ...{ organization_id: id(2), project_id: id(3), slug: 'gate', restored_at: CREATED_AT },
      }),
      eraseProject: ({ slug }) => {
        if (slug !== 'gate') throw new OperationError('invalid_input', 'must be the slug of what is erased')
        return deletionOf(id(3), { state: 'erasing', erasing_since: CREATED_AT })
      },
      showProjectDeletion: erasing(id(3)),
      listDeletedProjects: () => ({ data: [deletionOf(id(3))], paging }),
    }),
  },
])('bearing $noun', ({ noun, slug, base, list, answers }) => {
  const run = (...args: string[]) => runAgainst(answers(), [noun, ...args], { environment: AS_USER })

  it('delete: stops with --yes, and says until when and how it can be undone', async () => {
    const ran = await run('delete', slug, '--yes')
    expect(ran).toMatchObject({ code: 0, requests: [`DELETE ${base}`] })
    expect(ran.stdout + ran.stderr).toContain(`bearing ${noun} restore ${slug}`)
    expect(ran.stdout).toMatch(/Erased after +2026-02-07/)
    const json = await run('delete', slug, '--yes', '--json')
    expect(JSON.parse(json.stdout)).toMatchObject({ slug, state: 'deleted', erase_after: LATER })
  })

  it.each(['delete', 'erase'])('%s: sends nothing without a confirmation', async (command) => {
    const ran = await run(command, slug)
    expect(ran).toMatchObject({ code: 2, requests: [] })
    expect(ran.stderr).toContain('--yes')
    expect(await run(command, '--yes')).toMatchObject({ code: 2, requests: [] })
  })

  it('restore: says that the credentials work again', async () => {
    const ran = await run('restore', slug)
    expect(ran).toMatchObject({ code: 0, requests: [`POST ${base}/restore`] })
    expect(ran.stdout + ran.stderr).toMatch(/works? again/)
    expect(ran.stdout).toContain(slug)
  })

  it('erase --wait: repeats the slug as confirmation, and ends when nothing is left', async () => {
    const ran = await run('erase', slug, '--yes', '--wait')
    const show = `GET ${base}/deletion`
    expect(ran).toMatchObject({ code: 0, requests: [`POST ${base}/erase`, show, show, show] })
    expect(ran.stdout + ran.stderr).toContain('Erased: 8,000 rows, files and messages.')
    expect(await run('erase', slug, '--yes')).toMatchObject({ code: 0, requests: [`POST ${base}/erase`] })
  })

  it('deletions show: shows the progress of each part, and what failed', async () => {
    const ran = await run('deletions', 'show', slug)
    expect(ran).toMatchObject({ code: 0, requests: [`GET ${base}/deletion`] })
    expect(ran.stdout).toMatch(/location +4,000 +1,234 +The location service is away\./)
    expect(JSON.parse((await run('deletions', 'show', slug, '--json')).stdout)).toMatchObject({
      state: 'erasing',
      parts: [{ part: 'location', erased: 4_000, remaining: 1_234 }],
    })
  })

  it('deletions list: lists what can be restored, and until when', async () => {
    const ran = await run('deletions', 'list')
    expect(ran.code).toBe(0)
    expect(ran.requests).toEqual([expect.stringContaining(`GET ${list}?`)])
    expect(ran.stdout).toMatch(new RegExp(`^${slug} +Acme +deleted +.*2026-02-07`, 'm'))
  })

  it('exits with 1 if nothing is deleted', async () => {
    const refuse = () => {
      throw new OperationError('deletion_not_found', 'It is not deleted, or was erased already.')
    }
    const refusing = Object.fromEntries(Object.keys(answers()).map((name) => [name, refuse]))
    const environment = AS_USER
    for (const command of [['restore'], ['deletions', 'show']]) {
      const ran = await runAgainst(refusing, [noun, ...command, slug], { environment })
      expect(ran).toMatchObject({ code: 1, stdout: '' })
      expect(ran.stderr).toContain('deletion_not_found')
    }
  })
})
